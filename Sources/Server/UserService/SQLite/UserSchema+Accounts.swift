import GRDB
import ServiceAPI

extension UserSchema {
    /// Sessions that survive a restore, codes sent by e-mail, and what upkeep needs to find.
    static let accountsMigration = "v2 sessions and upkeep"

    /// Adds what sessions, codes and upkeep need to tables that were released without it.
    static func addSessions(in database: Database) throws {
        try database.execute(sql: sessions)
        // An account counts as used when its newest token was made; older ones when they were made.
        try database.execute(
            sql: """
                UPDATE account SET lastUsedAt = max(createdAt, coalesce(
                    (SELECT max(expiresAt) FROM refreshToken WHERE account = account.number) - ?, 0))
                """, arguments: [ServiceLimits.refreshTokenDays * 86_400])
    }

    private static let sessions = """
        ALTER TABLE account ADD COLUMN lastUsedAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN deletedAt INTEGER;
        ALTER TABLE account ADD COLUMN tokenGeneration INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX accountByUse ON account (lastUsedAt, number);
        CREATE INDEX accountByDeletion ON account (deletedAt) WHERE deletedAt IS NOT NULL;

        ALTER TABLE refreshToken ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX refreshTokenByExpiry ON refreshToken (expiresAt);

        ALTER TABLE password ADD COLUMN verifiedAt INTEGER;

        CREATE TABLE emailCode (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            purpose TEXT NOT NULL CHECK (purpose IN ('verifyEmail', 'resetPassword')),
            email TEXT NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            expiresAt INTEGER NOT NULL,
            PRIMARY KEY (account, purpose)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX emailCodeByExpiry ON emailCode (expiresAt);
        """

    /// Codes that are valid beside each other.
    static let codesMigration = "v3 codes side by side"

    /// Lets an account have several codes of one purpose.
    static func keepCodes(in database: Database) throws {
        try database.execute(
            sql: """
                DROP INDEX emailCodeByExpiry;
                ALTER TABLE emailCode RENAME TO formerEmailCode;
                CREATE TABLE emailCode (
                    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
                    purpose TEXT NOT NULL CHECK (purpose IN ('verifyEmail', 'resetPassword')),
                    email TEXT NOT NULL,
                    hash BLOB NOT NULL CHECK (length(hash) = 32),
                    expiresAt INTEGER NOT NULL,
                    PRIMARY KEY (account, purpose, hash)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO emailCode SELECT * FROM formerEmailCode;
                DROP TABLE formerEmailCode;
                CREATE INDEX emailCodeByExpiry ON emailCode (expiresAt);
                """)
    }
}
