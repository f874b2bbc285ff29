-- The hall's players and tournaments. What is played follows from the organiser's events and from what the boxes'
-- journals have committed: throwlock/hub/tournaments.py
CREATE TABLE hall (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),  -- there is one row
    password text NOT NULL DEFAULT '',  -- the organiser's, hashed with scrypt
    is_public boolean NOT NULL DEFAULT false,  -- whether everybody on the network may see the results
    code text NOT NULL  -- where they may not: what viewers type
);

CREATE TABLE player (
    id text PRIMARY KEY,  -- random
    name text NOT NULL,  -- '': forgotten
    normal_name text UNIQUE,  -- for comparison; null: forgotten
    code text NOT NULL UNIQUE,  -- what a player shows to check in
    added_at timestamptz NOT NULL DEFAULT now(),
    checked_in_at timestamptz
);

CREATE TABLE tournament (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    is_automatic boolean NOT NULL DEFAULT false,  -- whether what can be played is given to free boxes by itself
    is_over boolean NOT NULL DEFAULT false  -- as it was last computed: nothing of it is to be played
);

CREATE TABLE tournament_event (
    tournament bigint NOT NULL REFERENCES tournament,
    number bigint NOT NULL,  -- from 1
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,  -- who did it
    kind text NOT NULL,
    body json NOT NULL,
    PRIMARY KEY (tournament, number)
);

-- What the events pairing_given and pairing_taken_back say, as it is asked for.
CREATE TABLE pairing (
    id text PRIMARY KEY,
    tournament bigint NOT NULL REFERENCES tournament,
    fixture text NOT NULL,
    players text[] NOT NULL,  -- in seat order
    box text NOT NULL REFERENCES box,
    given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    is_taken_back boolean NOT NULL DEFAULT false
);
CREATE INDEX pairing_by_box ON pairing (box);
CREATE INDEX pairing_by_tournament ON pairing (tournament);

-- The matches that boxes have begun for pairings that they were given, with the players that these name.
CREATE VIEW pairing_match AS
SELECT pairing.id AS pairing, pairing.tournament, pairing.fixture, pairing.box, event.journal, event.match, event.at
FROM pairing
JOIN event ON event.kind = 'match_started' AND event.understood AND event.body #>> '{hall,pairing}' = pairing.id
JOIN journal ON journal.id = event.journal AND journal.box = pairing.box AND journal.replaced_at IS NULL
WHERE (event.body #> '{hall,players}')::jsonb = to_jsonb(pairing.players)
    AND event.body ->> 'imported_from' IS NULL;

-- Pairings that are still to be played, or being played.
CREATE VIEW open_pairing AS
SELECT pairing.* FROM pairing
JOIN tournament ON tournament.id = pairing.tournament AND NOT tournament.is_over
WHERE NOT is_taken_back AND NOT EXISTS (
    SELECT FROM pairing_match
    JOIN event USING (journal, match)
    WHERE pairing_match.pairing = pairing.id AND event.kind = 'match_ended' AND event.understood
);

-- NOTIFY pairings: what is to be played at a box has changed. NOTIFY changed: something else that pages show has.
CREATE FUNCTION notify_pairings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pairings', NEW.box);
    RETURN NULL;
END
$$;
CREATE FUNCTION notify_pairings_of_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pairings', journal.box) FROM journal
    WHERE journal.id = NEW.journal AND EXISTS (SELECT FROM pairing WHERE pairing.box = journal.box);
    RETURN NULL;
END
$$;
CREATE FUNCTION notify_pairings_of_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pairings', box) FROM open_pairing WHERE NEW.id = ANY (players);
    RETURN NULL;
END
$$;
CREATE FUNCTION notify_pairings_of_table() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pairings', NEW.id);
    RETURN NULL;
END
$$;
CREATE FUNCTION notify_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('changed', TG_TABLE_NAME);
    RETURN NULL;
END
$$;
CREATE TRIGGER pairing_given AFTER INSERT OR UPDATE ON pairing FOR EACH ROW EXECUTE FUNCTION notify_pairings();
CREATE TRIGGER match_ended AFTER INSERT ON event FOR EACH ROW WHEN (NEW.kind = 'match_ended')
    EXECUTE FUNCTION notify_pairings_of_ended();
CREATE TRIGGER player_renamed AFTER UPDATE OF name ON player FOR EACH ROW EXECUTE FUNCTION notify_pairings_of_renamed();
CREATE TRIGGER table_named AFTER INSERT OR UPDATE OF table_name ON box FOR EACH ROW
    EXECUTE FUNCTION notify_pairings_of_table();
CREATE TRIGGER hall_changed AFTER INSERT OR UPDATE ON hall FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();
CREATE TRIGGER player_changed AFTER INSERT OR UPDATE ON player FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();
CREATE TRIGGER tournament_changed AFTER UPDATE ON tournament FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();
CREATE TRIGGER tournament_event_changed AFTER INSERT ON tournament_event FOR EACH STATEMENT
    EXECUTE FUNCTION notify_changed();
CREATE TRIGGER problem_changed AFTER INSERT OR UPDATE ON problem FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();
CREATE TRIGGER box_added AFTER INSERT ON box FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();
CREATE TRIGGER box_changed AFTER UPDATE ON box FOR EACH ROW
    WHEN ((OLD.table_name, OLD.state, OLD.properties) IS DISTINCT FROM (NEW.table_name, NEW.state, NEW.properties))
    EXECUTE FUNCTION notify_changed();
