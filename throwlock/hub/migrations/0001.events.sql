-- What the boxes' journals have committed. An event is known by its journal and number: stored once however often it
-- comes. docs/hall-protocol.md
CREATE TABLE box (
    id text PRIMARY KEY,
    table_name text NOT NULL,  -- what the hall calls its table: "Table 7"
    state text NOT NULL DEFAULT 'init',  -- Homie's $state, as the box last published it
    properties jsonb NOT NULL DEFAULT '{}',  -- Homie's properties: {"box/match": "…", "box/camera": "…"}
    seen_at timestamptz,
    added_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz  -- since when it is no longer of the hall; what it sent stays
);

-- A journal of a box, and the newest event stored of it; a box has another after its old one was damaged.
CREATE TABLE journal (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    box text NOT NULL REFERENCES box,
    origin text NOT NULL,  -- the previous_hash of its first event
    number bigint NOT NULL DEFAULT 0,
    hash text NOT NULL,
    announced bigint NOT NULL DEFAULT 0,  -- number of the newest event that the box has said it has
    problem text NOT NULL DEFAULT '',  -- why nothing more of it is taken
    replaced_at timestamptz  -- since when another row has what the box has now in its place: its events count no more
);
CREATE UNIQUE INDEX journal_by_origin ON journal (box, origin) WHERE replaced_at IS NULL;

CREATE TABLE event (
    journal bigint NOT NULL REFERENCES journal,
    number bigint NOT NULL,
    match bigint NOT NULL,
    at timestamptz,  -- NULL: not a time
    kind text NOT NULL,
    body json NOT NULL,  -- json keeps the text that was hashed, jsonb would not
    at_text text NOT NULL,  -- as hashed
    previous_hash text NOT NULL,
    hash text NOT NULL,
    understood boolean NOT NULL,  -- this version knows its kind and form. Only then may a query look into its body
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (journal, number)
);
CREATE INDEX event_by_match ON event (journal, match, number);
CREATE INDEX event_by_pairing ON event ((body #>> '{hall,pairing}')) WHERE kind = 'match_started' AND understood;
CREATE INDEX event_end ON event (journal, match, number) WHERE kind = 'match_ended';
CREATE INDEX event_not_understood ON event (journal, number) WHERE NOT understood;

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

-- The newest result of each match that was played at a box of the hall. One that was imported was played elsewhere.
CREATE VIEW match_result AS
SELECT
    journal.box,
    ended.journal,
    ended.match,
    ended.number,  -- of the event with the result
    started.body ->> 'game' AS game,
    started.body #>> '{hall,pairing}' AS pairing,  -- NULL: played for none
    ARRAY(SELECT json_array_elements_text(started.body #> '{hall,players}')) AS players,  -- ids in seat order
    ARRAY(SELECT json_array_elements_text(ended.body #> '{result,winners}')::int) AS winners,  -- seats, from 1
    (ended.body #> '{result,scores}')::jsonb AS scores,  -- by seat
    started.at AS started_at,
    ended.at AS ended_at,
    ended.stored_at,
    -- False while a match that is disputed at its end goes on.
    NOT EXISTS (
        SELECT FROM event AS later
        WHERE later.journal = ended.journal AND later.match = ended.match AND later.number > ended.number
        AND later.kind <> 'dispute_rejected'
    ) AS is_final
FROM event AS ended
JOIN event AS started ON started.journal = ended.journal AND started.number = ended.match
JOIN journal ON journal.id = ended.journal AND journal.replaced_at IS NULL
WHERE ended.kind = 'match_ended' AND ended.understood
AND started.kind = 'match_started' AND started.understood AND started.body ->> 'imported_from' IS NULL
AND NOT EXISTS (
    SELECT FROM event AS later
    WHERE later.journal = ended.journal AND later.match = ended.match AND later.number > ended.number
    AND later.kind = 'match_ended'
);

-- Each box with its newest journal.
CREATE VIEW box_status AS
SELECT
    box.id,
    box.table_name,
    box.state,
    box.properties,
    box.seen_at,
    newest.id AS journal,  -- NULL: it has sent nothing yet
    coalesce(newest.number, 0) AS number,
    greatest(newest.announced - newest.number, 0) AS behind,  -- events that it has and that are not stored
    coalesce(newest.problem, '') AS problem,
    (SELECT stored_at FROM event WHERE event.journal = newest.id AND event.number = newest.number) AS stored_at
FROM box
LEFT JOIN LATERAL (
    SELECT * FROM journal WHERE journal.box = box.id AND replaced_at IS NULL ORDER BY journal.id DESC LIMIT 1
) AS newest ON true
WHERE box.removed_at IS NULL;
