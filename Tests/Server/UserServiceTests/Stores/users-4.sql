BEGIN TRANSACTION;
CREATE TABLE account (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    createdAt INTEGER NOT NULL,
    position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0),
    purgedThrough INTEGER NOT NULL DEFAULT 0,
    digest TEXT NOT NULL DEFAULT '0.0.0',
    answerCount INTEGER NOT NULL DEFAULT 0
, epoch TEXT NOT NULL DEFAULT '', recordBytes INTEGER NOT NULL DEFAULT 0, answerBytes INTEGER NOT NULL DEFAULT 0, lastUsedAt INTEGER NOT NULL DEFAULT 0, deletedAt INTEGER, tokenGeneration INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "account" VALUES(1,'u-lPlxIj73mGC-5hxrNzg',1800000000,6,0,'4.6642229fc07f716f.969c1656d9cf71f',3,'88IXPQiPkTb_',537,227,1800000000,NULL,0);
INSERT INTO "account" VALUES(2,'uUYv3xyGsebePfR9_w8Ln',1800086400,0,0,'0.0.0',0,'',0,0,1800086400,NULL,0);
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
INSERT INTO "answer" VALUES(3,1,'b','s','q1',NULL,'','["x","y"]',1,1.0,NULL,1,0,'study',0,5);
INSERT INTO "answer" VALUES(3,2,'b','s','q2',NULL,'','[]',1,1.0,NULL,1,0,'study',0,5);
INSERT INTO "answer" VALUES(3,3,'b','s','q1',NULL,'','[]',1,1.0,NULL,1,0,'study',0,5);
CREATE TABLE answeredQuestion (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    bank TEXT NOT NULL,
    question TEXT NOT NULL,
    number INTEGER NOT NULL UNIQUE,
    PRIMARY KEY (account, bank, question)
) STRICT, WITHOUT ROWID;
INSERT INTO "answeredQuestion" VALUES(1,'b','q1',1);
INSERT INTO "answeredQuestion" VALUES(1,'b','q2',2);
CREATE TABLE damagedRecord (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    foundAt INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (account, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE dayStatistics (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    day INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    questions INTEGER NOT NULL,
    takenMilliseconds INTEGER NOT NULL,
    PRIMARY KEY (account, day)
) STRICT, WITHOUT ROWID;
INSERT INTO "dayStatistics" VALUES(1,0,3,3,2,3);
CREATE TABLE device (
    number INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    lastAnswer INTEGER NOT NULL DEFAULT 0,
    settledBefore INTEGER NOT NULL DEFAULT 0, requestNumber INTEGER NOT NULL DEFAULT 0, requestHash BLOB NOT NULL DEFAULT x'', headPosition INTEGER NOT NULL DEFAULT 0, headEpoch TEXT NOT NULL DEFAULT '', lastSeenAt INTEGER NOT NULL DEFAULT 0, isRetired INTEGER NOT NULL DEFAULT 0
    CHECK (isRetired IN (0, 1)), counted INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account, name)
) STRICT;
INSERT INTO "device" VALUES(1,1,'d',0,0,1,X'A793041FF1A564477B5D483C949AEA64',0,'',1800000000000,0,0);
INSERT INTO "device" VALUES(2,1,'e',0,0,1,X'A6F363A1898AD360A675E453D407CDA5',0,'',1800086400000,0,0);
INSERT INTO "device" VALUES(3,1,'f',3,0,1,X'647F898416E904ED08F5CF1BB5996E48',0,'',1800086400000,1,3);
INSERT INTO "device" VALUES(4,1,'!http',0,2,0,X'',0,'',0,0,0);
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
INSERT INTO "domainStatistics" VALUES(1,'b','',3,3,2,5);
CREATE TABLE emailCode (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('verifyEmail', 'resetPassword')),
    email TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    expiresAt INTEGER NOT NULL,
    PRIMARY KEY (account, purpose, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('v1 users');
INSERT INTO "grdb_migrations" VALUES('v2 bounds of the ledger');
INSERT INTO "grdb_migrations" VALUES('v2 statistics');
INSERT INTO "grdb_migrations" VALUES('v2 sessions and upkeep');
INSERT INTO "grdb_migrations" VALUES('v3 codes side by side');
CREATE TABLE identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE mark (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    text TEXT NOT NULL,
    PRIMARY KEY (account, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "mark" VALUES(1,4,'88IXPQiPkTb_');
INSERT INTO "mark" VALUES(1,5,'5r0MKko1EqgE');
INSERT INTO "mark" VALUES(1,6,'iDjkHt4Jx3Y8');
CREATE TABLE password (
    account INTEGER PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
    email TEXT NOT NULL UNIQUE,
    salt BLOB NOT NULL CHECK (length(salt) = 16),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    rounds INTEGER NOT NULL CHECK (rounds >= 1024)
, verifiedAt INTEGER) STRICT;
INSERT INTO "password" VALUES(1,'ada@example.org',X'B70CD8C3A489AFFF2457A654CCF5CADD',X'2BE7712247E7ABB2773B517F74984DB07A9DFA7639E4C0D442B05BB3E2A2E3EE',1024,NULL);
CREATE TABLE questionDay (
    question INTEGER NOT NULL REFERENCES answeredQuestion (number) ON DELETE CASCADE,
    day INTEGER NOT NULL CHECK (day >= 0),
    PRIMARY KEY (question, day)
) STRICT, WITHOUT ROWID;
INSERT INTO "questionDay" VALUES(1,0);
INSERT INTO "questionDay" VALUES(2,0);
CREATE TABLE questionDomain (
    question INTEGER NOT NULL REFERENCES answeredQuestion (number) ON DELETE CASCADE,
    domain TEXT NOT NULL,
    PRIMARY KEY (question, domain)
) STRICT, WITHOUT ROWID;
INSERT INTO "questionDomain" VALUES(1,'');
INSERT INTO "questionDomain" VALUES(2,'');
CREATE TABLE "record" (
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    collection TEXT NOT NULL CHECK (length(collection) BETWEEN 1 AND 64),
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
    position INTEGER NOT NULL CHECK (position > 0),
    batch INTEGER NOT NULL,
    deletedAt INTEGER,
    json TEXT NOT NULL CHECK (json_valid(json)),
    PRIMARY KEY (account, collection, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "record" VALUES(1,'exams','a',1,1,NULL,'{"by":["d",1],"collection":"exams","fields":{"n":1},"id":"a","revision":1,"time":[1800000000000,0]}');
INSERT INTO "record" VALUES(1,'exams','b',5,5,1800086400000,'{"by":["e",1],"collection":"exams","deleted":true,"id":"b","replaced":{"d":2},"revision":5,"time":[1800086400000,0]}');
INSERT INTO "record" VALUES(1,'exams','c',6,6,NULL,'{"by":["http",1],"collection":"exams","fields":{"n":3},"id":"c","revision":6,"time":[1800086400000,0]}');
INSERT INTO "record" VALUES(1,'notes','n1',4,1,NULL,'{"by":["d",4],"collection":"notes","fields":{"t":"x"},"id":"n1","revision":4,"time":[1800000000000,0]}');
INSERT INTO "record" VALUES(1,'profile','me',3,1,NULL,'{"by":["d",3],"collection":"profile","fields":{"age":36,"name":"Ada"},"id":"me","revision":3,"time":[1800000000000,0]}');
CREATE TABLE refreshToken (
    hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
    family TEXT NOT NULL,
    parent BLOB,
    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    expiresAt INTEGER NOT NULL,
    usedAt INTEGER
, generation INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
INSERT INTO "refreshToken" VALUES(X'B5378A2C41068A4CA02A1CC0DC54C0FBC8B7B9F8B58212C31F7BB459E0A558AE','3DKoFpWvoVsAr0B8',NULL,2,1815638400,NULL,0);
INSERT INTO "refreshToken" VALUES(X'D0456A6B9BE979C91523E32F8E440E11993CED15FC830150781D688F104FC504','tqZJZIUu9B63F-ZT',NULL,1,1815552000,NULL,0);
CREATE TABLE setting (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE verdict (
    device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
    counter INTEGER NOT NULL CHECK (counter > 0),
    hash BLOB NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('accepted', 'merged', 'conflict', 'refused')),
    revision INTEGER NOT NULL DEFAULT 0,
    refusal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (device, counter)
) STRICT, WITHOUT ROWID;
INSERT INTO "verdict" VALUES(1,1,X'46605245A94EAE55E03EDCADDC2398AC','accepted',1,'');
INSERT INTO "verdict" VALUES(1,2,X'4B2045963ECE82829CE0F16F03C5C876','accepted',2,'');
INSERT INTO "verdict" VALUES(1,3,X'C4FA053F243D2B6678DB148A4857294D','accepted',3,'');
INSERT INTO "verdict" VALUES(1,4,X'44785C96CB9EBB6CE95542C0EEAA162B','accepted',4,'');
INSERT INTO "verdict" VALUES(1,5,X'CD59E57B9E0D57F1B4877AEF4F845AF5','refused',0,'unknownCollection');
INSERT INTO "verdict" VALUES(2,1,X'78BD2325E3F8A561FC73683FE0DE5C77','accepted',5,'');
INSERT INTO "verdict" VALUES(2,2,X'6EB2202730167E4D0A15362935F6CFAA','conflict',0,'');
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
