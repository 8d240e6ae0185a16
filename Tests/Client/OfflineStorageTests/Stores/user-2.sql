BEGIN TRANSACTION;
CREATE TABLE answer (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    client TEXT NOT NULL,
    counter INTEGER NOT NULL CHECK (counter > 0),
    bank TEXT,
    session TEXT,
    question TEXT,
    domain TEXT,
    version TEXT,
    options TEXT,
    isCorrect INTEGER CHECK (isCorrect IN (0, 1)),
    credit REAL,
    rating INTEGER CHECK (rating BETWEEN 1 AND 4),
    takenMilliseconds INTEGER CHECK (takenMilliseconds BETWEEN 0 AND 86400000),
    exposuresBefore INTEGER CHECK (exposuresBefore >= 0),
    mode TEXT,
    isRandomlySelected INTEGER CHECK (isRandomlySelected IN (0, 1)),
    milliseconds INTEGER CHECK (milliseconds >= 0),
    PRIMARY KEY (user, client, counter)
) STRICT, WITHOUT ROWID;
CREATE TABLE base (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT,
    former TEXT,
    PRIMARY KEY (user, collection, id),
    CHECK (json IS NOT NULL OR former IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE TABLE card (
    number INTEGER PRIMARY KEY,
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    bank TEXT NOT NULL,
    question TEXT NOT NULL,
    answers INTEGER NOT NULL CHECK (answers >= 0),
    lastMilliseconds INTEGER NOT NULL,
    lastClient INTEGER NOT NULL,
    lastCounter INTEGER NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('new', 'learning', 'review', 'relearning')),
    step INTEGER NOT NULL CHECK (step >= 0),
    stability REAL,
    difficulty REAL,
    due REAL,
    isStale INTEGER NOT NULL CHECK (isStale IN (0, 1)),
    UNIQUE (user, bank, question)
) STRICT;
CREATE TABLE cardDomain (
    card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
    domain TEXT NOT NULL,
    answers INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    PRIMARY KEY (card, domain)
) STRICT, WITHOUT ROWID;
CREATE TABLE conflict (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    mine TEXT NOT NULL,
    theirs TEXT NOT NULL,
    base TEXT,
    PRIMARY KEY (user, collection, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE countedClient (
    number INTEGER PRIMARY KEY,
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    client TEXT NOT NULL,
    counted INTEGER NOT NULL DEFAULT 0 CHECK (counted >= 0),
    UNIQUE (user, client)
) STRICT;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('v1 user data');
INSERT INTO "grdb_migrations" VALUES('v2 steps of counters');
INSERT INTO "grdb_migrations" VALUES('v2 schedules');
CREATE TABLE pending (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    counter INTEGER NOT NULL CHECK (counter > 0),
    together INTEGER,
    wasSent INTEGER NOT NULL CHECK (wasSent IN (0, 1)),
    madeAt INTEGER NOT NULL,
    json TEXT NOT NULL, added INTEGER NOT NULL DEFAULT 0, removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user, counter)
) STRICT, WITHOUT ROWID;
INSERT INTO "pending" VALUES('local',1,NULL,0,1795342720214,'{"collection":"favourites","id":"q1","n":1,"put":{"bank":"es","note":"look again"},"time":[1795342720214,0]}',0,0);
INSERT INTO "pending" VALUES('local',2,NULL,0,1795342722048,'{"collection":"reservations","id":"swift-2026","n":2,"put":{"date":"2026-12-01","exam":"swift-2026","status":"planned"},"time":[1795342722048,0]}',0,0);
CREATE TABLE person (
    user TEXT PRIMARY KEY NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    json BLOB NOT NULL,
    lastTry BLOB
) STRICT, WITHOUT ROWID;
INSERT INTO "person" VALUES('local',3,X'7B22616E7377657273223A7B226C61737473223A5B5D7D2C22637572736F72223A302C226E65787452657175657374223A312C226C617374416E7377657253656E74223A302C22616E73776572734F6E536572766572223A7B226C61737473223A5B5D7D2C22636C6F636B223A7B226C6174657374223A7B22636F756E746572223A302C226D696C6C697365636F6E6473223A313739353334323732323034387D7D2C226E657874436F756E746572223A332C22636C69656E74223A7B2274657874223A2237313832656464352D326337382D346162302D623131362D343638383333393839613039227D7D',NULL);
CREATE TABLE review (
    card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
    milliseconds INTEGER NOT NULL,
    client INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    isCorrect INTEGER NOT NULL CHECK (isCorrect IN (0, 1)),
    rating INTEGER CHECK (rating BETWEEN 1 AND 4),
    PRIMARY KEY (card, milliseconds, client, counter)
) STRICT, WITHOUT ROWID;
CREATE TABLE scheduling (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    bank TEXT NOT NULL,
    settings TEXT NOT NULL,
    PRIMARY KEY (user, bank)
) STRICT, WITHOUT ROWID;
CREATE TABLE session (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    id TEXT NOT NULL,
    bank TEXT NOT NULL,
    mode TEXT NOT NULL,
    savedAt REAL NOT NULL,
    json BLOB NOT NULL,
    PRIMARY KEY (user, id)
) STRICT;
CREATE TABLE setAside (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    counter INTEGER NOT NULL,
    refusal TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (user, counter)
) STRICT, WITHOUT ROWID;
CREATE TABLE setting (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE studyDay (
    user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    day TEXT NOT NULL,
    answers INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    questions INTEGER NOT NULL,
    PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE studyZone (
    user TEXT PRIMARY KEY NOT NULL
        REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
    offsets TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE uncounted (
    user TEXT PRIMARY KEY NOT NULL
        REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX answerByBank ON answer (user, bank, milliseconds);
CREATE INDEX sessionByBank ON session (user, bank, mode);
CREATE TRIGGER answerMoved AFTER UPDATE OF user, client, counter ON answer
WHEN OLD.client <> NEW.client OR OLD.counter <> NEW.counter
    OR EXISTS (SELECT 1 FROM person WHERE user = OLD.user)
BEGIN
    INSERT OR IGNORE INTO uncounted SELECT user FROM person
        WHERE user IN (OLD.user, NEW.user);
END;
CREATE TRIGGER answerRemoved AFTER DELETE ON answer
WHEN EXISTS (SELECT 1 FROM person WHERE user = OLD.user)
BEGIN
    INSERT OR IGNORE INTO uncounted VALUES (OLD.user);
END;
COMMIT;
