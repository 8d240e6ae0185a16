extension UserSchema {
    /// Accounts, what proves them, their roles and moves, and the audit log.
    static let accounts = """
        CREATE TABLE setting (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            createdAt INTEGER NOT NULL,
            position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0),
            purgedThrough INTEGER NOT NULL DEFAULT 0,
            digest TEXT NOT NULL DEFAULT '0.0.0',
            answerCount INTEGER NOT NULL DEFAULT 0,
            epoch TEXT NOT NULL DEFAULT '',
            recordBytes INTEGER NOT NULL DEFAULT 0,
            answerBytes INTEGER NOT NULL DEFAULT 0,
            lastUsedAt INTEGER NOT NULL DEFAULT 0,
            deletedAt INTEGER,
            tokenGeneration INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX accountByUse ON account (lastUsedAt, number);
        CREATE INDEX accountByDeletion ON account (deletedAt) WHERE deletedAt IS NOT NULL;

        CREATE TABLE password (
            account INTEGER PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
            email TEXT NOT NULL UNIQUE,
            salt BLOB NOT NULL CHECK (length(salt) = 16),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            rounds INTEGER NOT NULL CHECK (rounds >= 1024),
            verifiedAt INTEGER
        ) STRICT;

        CREATE TABLE identity (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identityByAccount ON identity (account);

        CREATE TABLE refreshToken (
            hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
            family TEXT NOT NULL,
            parent BLOB,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            expiresAt INTEGER NOT NULL,
            usedAt INTEGER,
            generation INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refreshTokenByFamily ON refreshToken (family);
        CREATE INDEX refreshTokenByParent ON refreshToken (parent);
        CREATE INDEX refreshTokenByAccount ON refreshToken (account);
        CREATE INDEX refreshTokenByExpiry ON refreshToken (expiresAt);

        CREATE TABLE emailCode (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            purpose TEXT NOT NULL CHECK (purpose IN ('verifyEmail', 'resetPassword')),
            email TEXT NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            expiresAt INTEGER NOT NULL,
            PRIMARY KEY (account, purpose, hash)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX emailCodeByExpiry ON emailCode (expiresAt);

        CREATE TABLE role (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('author', 'publisher', 'administrator')),
            since INTEGER NOT NULL,
            PRIMARY KEY (account, role)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
            action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 64),
            subject TEXT NOT NULL,
            detail TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE INDEX auditByAction ON audit (action, actor, number);
        CREATE INDEX auditByTime ON audit (at);
        CREATE TRIGGER auditIsNeverChanged BEFORE UPDATE ON audit
        BEGIN
            SELECT RAISE(ABORT, 'an entry of the audit log is never changed');
        END;

        CREATE TABLE accountMove (
            source TEXT PRIMARY KEY NOT NULL,
            target TEXT NOT NULL,
            answers INTEGER NOT NULL CHECK (answers >= 0),
            begunAt INTEGER NOT NULL,
            finishedAt INTEGER,
            place TEXT NOT NULL CHECK (json_valid(place))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX accountMoveByTarget ON accountMove (target);
        CREATE INDEX accountMoveByEnd ON accountMove (finishedAt);
        """
}
