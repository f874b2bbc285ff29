"""Prints what ``throwlock doctor`` says of the hand model on an emulated Raspberry Pi."""

from throwlock.cli.doctor.checks import hands

if __name__ == "__main__":
    for part in hands(prepared=True):
        print(part)
