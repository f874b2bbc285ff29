-- How much is stored of each box, which has a limit, and what it has too much of: throwlock/hub/quota.py
ALTER TABLE box
    ADD stored_bytes bigint NOT NULL DEFAULT 0,
    ADD excess text NOT NULL DEFAULT '',  -- too fast, full
    ADD excess_at timestamptz;  -- when that was last so

UPDATE box SET stored_bytes = events.bytes FROM (
    SELECT journal.box, sum(octet_length(body::text) + 1000) AS bytes
    FROM event JOIN journal ON journal.id = event.journal GROUP BY journal.box
) AS events WHERE events.box = box.id;
UPDATE box SET stored_bytes = stored_bytes + pictures.bytes FROM (
    SELECT journal.box, sum(octet_length(data) + 1000) AS bytes
    FROM picture JOIN journal ON journal.id = picture.journal GROUP BY journal.box
) AS pictures WHERE pictures.box = box.id;

-- Count what is stored and what is deleted.
CREATE FUNCTION count_event_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE box SET stored_bytes = stored_bytes + CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END * counted.bytes FROM (
        SELECT journal.box, sum(octet_length(body::text) + 1000) AS bytes
        FROM changed JOIN journal ON journal.id = changed.journal GROUP BY journal.box
    ) AS counted WHERE box.id = counted.box;
    RETURN NULL;
END
$$;
CREATE FUNCTION count_picture_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE box SET stored_bytes = stored_bytes + CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END * counted.bytes FROM (
        SELECT journal.box, sum(octet_length(data) + 1000) AS bytes
        FROM changed JOIN journal ON journal.id = changed.journal GROUP BY journal.box
    ) AS counted WHERE box.id = counted.box;
    RETURN NULL;
END
$$;
CREATE TRIGGER event_counted AFTER INSERT ON event REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_event_bytes();
CREATE TRIGGER event_discounted AFTER DELETE ON event REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_event_bytes();
CREATE TRIGGER picture_counted AFTER INSERT ON picture REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_picture_bytes();
CREATE TRIGGER picture_discounted AFTER DELETE ON picture REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_picture_bytes();

CREATE OR REPLACE VIEW box_status AS
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
    (SELECT stored_at FROM event WHERE event.journal = newest.id AND event.number = newest.number) AS stored_at,
    CASE WHEN box.excess_at > now() - interval '10 minutes' THEN box.excess ELSE '' END AS excess
FROM box
LEFT JOIN LATERAL (
    SELECT * FROM journal WHERE journal.box = box.id AND replaced_at IS NULL ORDER BY journal.id DESC LIMIT 1
) AS newest ON true
WHERE box.removed_at IS NULL;

DROP TRIGGER box_changed ON box;
CREATE TRIGGER box_changed AFTER UPDATE ON box FOR EACH ROW
    WHEN ((OLD.table_name, OLD.state, OLD.properties, OLD.excess_at)
        IS DISTINCT FROM (NEW.table_name, NEW.state, NEW.properties, NEW.excess_at))
    EXECUTE FUNCTION notify_changed();
