-- What the boxes' journals have committed. An event is known by its journal and number: stored once however often it
-- comes. docs/hall-protocol.md
CREATE TABLE box (
    id text PRIMARY KEY,
    table_name text NOT NULL,  -- what the hall calls its table: "Table 7"
    state text NOT NULL DEFAULT 'init',  -- Homie's $state, as the box last published it
    properties jsonb NOT NULL DEFAULT '{}',  -- Homie's properties: {"match": "…", "camera": "…"}
    seen_at timestamptz,
    added_at timestamptz NOT NULL DEFAULT now()
);

-- A journal of a box, and the newest event stored of it; a box has another after its old one was damaged.
CREATE TABLE journal (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    box text NOT NULL REFERENCES box,
    origin text NOT NULL,  -- the previous_hash of its first event
    number bigint NOT NULL DEFAULT 0,
    hash text NOT NULL,
    problem text NOT NULL DEFAULT '',  -- why nothing more of it is taken
    UNIQUE (box, origin)
);

CREATE TABLE event (
    journal bigint NOT NULL REFERENCES journal,
    number bigint NOT NULL,
    match bigint NOT NULL,
    at timestamptz NOT NULL,
    kind text NOT NULL,
    body json NOT NULL,  -- json keeps the text that was hashed, jsonb would not
    at_text text NOT NULL,  -- as hashed
    previous_hash text NOT NULL,
    hash text NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (journal, number)
);
CREATE INDEX event_by_match ON event (journal, match, number);
CREATE INDEX event_by_pairing ON event ((body #>> '{hall,pairing}')) WHERE kind = 'match_started';

-- A journal that does not go on from what is stored. The organiser decides.
CREATE TABLE problem (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    journal bigint NOT NULL REFERENCES journal,
    kind text NOT NULL,  -- rewritten, cut, forged
    number bigint NOT NULL,  -- of the event
    stored_hash text NOT NULL,
    told_hash text NOT NULL,
    found_at timestamptz NOT NULL DEFAULT now(),
    settled_at timestamptz,
    note text NOT NULL DEFAULT ''  -- of the organiser
);

CREATE TABLE picture (
    journal bigint NOT NULL,
    event bigint NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (journal, event, name),
    FOREIGN KEY (journal, event) REFERENCES event (journal, number)
);
