/* A plugin for QEMU 7: whenever the program asks for its parent's id, print how many instructions it has run since it
   asked before, and how many of them multiply and add vectors of 128 bits. Declared here is what of QEMU's
   qemu-plugin.h is used. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { INLINE_ADD };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned, int64_t, uint64_t,
    uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));

int qemu_plugin_version = 1;
enum { GETPPID = 173 };
static uint64_t instructions, multiply_adds, instructions_before, multiply_adds_before;

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    size_t count = qemu_plugin_tb_n_insns(block), fused = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, qemu_plugin_insn_data(qemu_plugin_tb_get_insn(block, i)), 4);
        fused += (word & 0xFFA0FC00) == 0x4E20CC00     /* FMLA of vectors */
              || (word & 0xFF80F400) == 0x4F801000;    /* FMLA of a vector and an element */
    }
    qemu_plugin_register_vcpu_tb_exec_inline(block, INLINE_ADD, &instructions, count);
    if (fused)
        qemu_plugin_register_vcpu_tb_exec_inline(block, INLINE_ADD, &multiply_adds, fused);
}

static void on_call(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
    uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    if (number != GETPPID)
        return;
    fprintf(stderr, "counted %" PRIu64 " %" PRIu64 "\n", instructions - instructions_before,
            multiply_adds - multiply_adds_before);
    instructions_before = instructions;
    multiply_adds_before = multiply_adds;
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, on_call);
    return 0;
}
