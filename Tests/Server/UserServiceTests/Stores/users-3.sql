PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('v1 users');
INSERT INTO grdb_migrations VALUES('v2 bounds of the ledger');
INSERT INTO grdb_migrations VALUES('v2 statistics');
INSERT INTO grdb_migrations VALUES('v2 sessions and upkeep');
INSERT INTO grdb_migrations VALUES('v3 codes side by side');
CREATE TABLE setting (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('instanceMark','bqR9WCT_TJETFY5C');
CREATE TABLE account (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    createdAt INTEGER NOT NULL,
    position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0),
    purgedThrough INTEGER NOT NULL DEFAULT 0,
    digest TEXT NOT NULL DEFAULT '0.0.0',
    answerCount INTEGER NOT NULL DEFAULT 0
, epoch TEXT NOT NULL DEFAULT '', recordBytes INTEGER NOT NULL DEFAULT 0, answerBytes INTEGER NOT NULL DEFAULT 0, lastUsedAt INTEGER NOT NULL DEFAULT 0, deletedAt INTEGER, tokenGeneration INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO account VALUES(1,'urR0R_YisAoOWNp6pho3f',1795338893,0,0,'0.0.0',4,'_VxQAVwOofRL',0,800,1795338893,NULL,0);
CREATE TABLE password (
    account INTEGER PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
    email TEXT NOT NULL UNIQUE,
    salt BLOB NOT NULL CHECK (length(salt) = 16),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    rounds INTEGER NOT NULL CHECK (rounds >= 1024)
, verifiedAt INTEGER) STRICT;
CREATE TABLE identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE refreshToken (
    hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
    family TEXT NOT NULL,
    parent BLOB,
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    expiresAt INTEGER NOT NULL,
    usedAt INTEGER
, generation INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE device (
    number INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    lastAnswer INTEGER NOT NULL DEFAULT 0,
    settledBefore INTEGER NOT NULL DEFAULT 0, requestNumber INTEGER NOT NULL DEFAULT 0, requestHash BLOB NOT NULL DEFAULT x'', headPosition INTEGER NOT NULL DEFAULT 0, headEpoch TEXT NOT NULL DEFAULT '', lastSeenAt INTEGER NOT NULL DEFAULT 0, isRetired INTEGER NOT NULL DEFAULT 0
    CHECK (isRetired IN (0, 1)), counted INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account, name)
) STRICT;
INSERT INTO device VALUES(1,1,'f9c54c88-f935-42af-adbc-5c0376544d01',4,1,1,X'b95328f73fcf0d5db688f86a6f949b2b',0,'',1795338893436,0,4);
CREATE TABLE mark (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    text TEXT NOT NULL,
    PRIMARY KEY (account, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer (
    device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
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
    PRIMARY KEY (device, counter),
    CHECK ((bank IS NULL) = (question IS NULL) AND (bank IS NULL) = (session IS NULL)
        AND (bank IS NULL) = (isCorrect IS NULL) AND (bank IS NULL) = (mode IS NULL)
        AND (bank IS NULL) = (milliseconds IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO answer VALUES(1,1,'int/swift','5ed17a87-536d-4a18-8aa6-5e92db2b8c35','q1','values','sha256:274176e457c020357b974e25777f101e57c9a78daa18f00fb81c907a520572e4','["a"]',1,1.0,NULL,2,0,'study',0,1795338893290);
INSERT INTO answer VALUES(1,2,'int/swift','5ed17a87-536d-4a18-8aa6-5e92db2b8c35','q2','values','sha256:3ef9ca46304a99e7ccbff889c08fe0cd282bae4955f7f7152101cd19ce18312f','["a","c"]',1,1.0,NULL,5,0,'study',0,1795338893295);
INSERT INTO answer VALUES(1,3,'int/swift','5ed17a87-536d-4a18-8aa6-5e92db2b8c35','q3','values','sha256:72a8e562da7ceb337d0feb00f31acdc4f74b0a71bb9efafac8561b2b31a59d87','["b","a","c"]',1,1.0,NULL,2,0,'study',0,1795338893298);
INSERT INTO answer VALUES(1,4,'int/swift','5ed17a87-536d-4a18-8aa6-5e92db2b8c35','q4','values','sha256:d906a800cd58331b339c8b9b4e2e1ccd726d64c04d350101dd9e12a70e360fd2','["b"]',0,0.0,NULL,2,0,'study',0,1795338893300);
CREATE TABLE verdict (
    device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
    counter INTEGER NOT NULL CHECK (counter > 0),
    hash BLOB NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('accepted', 'merged', 'conflict', 'refused')),
    revision INTEGER NOT NULL DEFAULT 0,
    refusal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (device, counter)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS "record" (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    collection TEXT NOT NULL CHECK (length(collection) BETWEEN 1 AND 64),
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
    position INTEGER NOT NULL CHECK (position > 0),
    batch INTEGER NOT NULL,
    deletedAt INTEGER,
    json TEXT NOT NULL CHECK (json_valid(json)),
    PRIMARY KEY (account, collection, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE damagedRecord (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    foundAt INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (account, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE answeredQuestion (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    bank TEXT NOT NULL,
    question TEXT NOT NULL,
    number INTEGER NOT NULL UNIQUE,
    PRIMARY KEY (account, bank, question)
) STRICT, WITHOUT ROWID;
INSERT INTO answeredQuestion VALUES(1,'int/swift','q1',3);
INSERT INTO answeredQuestion VALUES(1,'int/swift','q2',2);
INSERT INTO answeredQuestion VALUES(1,'int/swift','q3',1);
INSERT INTO answeredQuestion VALUES(1,'int/swift','q4',4);
CREATE TABLE questionDay (
    question INTEGER NOT NULL REFERENCES answeredQuestion (number) ON DELETE CASCADE,
    day INTEGER NOT NULL CHECK (day >= 0),
    PRIMARY KEY (question, day)
) STRICT, WITHOUT ROWID;
INSERT INTO questionDay VALUES(1,20779);
INSERT INTO questionDay VALUES(2,20779);
INSERT INTO questionDay VALUES(3,20779);
INSERT INTO questionDay VALUES(4,20779);
CREATE TABLE questionDomain (
    question INTEGER NOT NULL REFERENCES answeredQuestion (number) ON DELETE CASCADE,
    domain TEXT NOT NULL,
    PRIMARY KEY (question, domain)
) STRICT, WITHOUT ROWID;
INSERT INTO questionDomain VALUES(1,'values');
INSERT INTO questionDomain VALUES(2,'values');
INSERT INTO questionDomain VALUES(3,'values');
INSERT INTO questionDomain VALUES(4,'values');
CREATE TABLE dayStatistics (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    day INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    questions INTEGER NOT NULL,
    takenMilliseconds INTEGER NOT NULL,
    PRIMARY KEY (account, day)
) STRICT, WITHOUT ROWID;
INSERT INTO dayStatistics VALUES(1,20779,4,3,4,11);
CREATE TABLE domainStatistics (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    bank TEXT NOT NULL,
    domain TEXT NOT NULL,
    answers INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    questions INTEGER NOT NULL,
    lastMilliseconds INTEGER NOT NULL,
    PRIMARY KEY (account, bank, domain)
) STRICT, WITHOUT ROWID;
INSERT INTO domainStatistics VALUES(1,'int/swift','values',4,3,4,1795338893300);
CREATE TABLE emailCode (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('verifyEmail', 'resetPassword')),
    email TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    expiresAt INTEGER NOT NULL,
    PRIMARY KEY (account, purpose, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX identityByAccount ON identity (account);
CREATE INDEX refreshTokenByFamily ON refreshToken (family);
CREATE INDEX refreshTokenByParent ON refreshToken (parent);
CREATE INDEX refreshTokenByAccount ON refreshToken (account);
CREATE TRIGGER answerOnlyAdded BEFORE UPDATE ON answer
BEGIN
    SELECT RAISE(ABORT, 'an answer is never changed');
END;
CREATE UNIQUE INDEX recordByPosition ON record (account, position);
CREATE INDEX recordByDeletion ON record (deletedAt) WHERE deletedAt IS NOT NULL;
CREATE INDEX accountByUse ON account (lastUsedAt, number);
CREATE INDEX accountByDeletion ON account (deletedAt) WHERE deletedAt IS NOT NULL;
CREATE INDEX refreshTokenByExpiry ON refreshToken (expiresAt);
CREATE INDEX emailCodeByExpiry ON emailCode (expiresAt);
COMMIT;
