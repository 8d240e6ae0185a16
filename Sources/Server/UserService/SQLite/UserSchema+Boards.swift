extension UserSchema {
    /// Sessions as boards count them, profiles, and the boards.
    static let boards = """
        CREATE TABLE sessionScore (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            bank TEXT NOT NULL,
            session INTEGER NOT NULL,
            mode TEXT NOT NULL,
            answers INTEGER NOT NULL,
            points INTEGER NOT NULL,
            firstAnswers INTEGER NOT NULL,
            firstPoints INTEGER NOT NULL,
            endedAt INTEGER NOT NULL,
            PRIMARY KEY (account, bank, session)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessionScoreByEnd ON sessionScore (account, bank, endedAt);
        CREATE INDEX sessionScoreByBank ON sessionScore (bank, account);

        CREATE TABLE boardProfile (
            account INTEGER PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
            code TEXT NOT NULL UNIQUE,
            name TEXT CHECK (length(name) > 0),
            isListed INTEGER NOT NULL CHECK (isListed IN (0, 1)),
            isNameBlocked INTEGER NOT NULL DEFAULT 0 CHECK (isNameBlocked IN (0, 1))
        ) STRICT;

        CREATE TABLE boardChange (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            member INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE boardDefinition (
            name TEXT PRIMARY KEY NOT NULL,
            text TEXT NOT NULL CHECK (json_valid(text))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE board (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'all')),
            firstDay TEXT NOT NULL,
            startsAt INTEGER NOT NULL,
            endsAt INTEGER,
            scoring TEXT NOT NULL,
            filledThrough INTEGER,
            refreshedAt INTEGER NOT NULL,
            isClosed INTEGER NOT NULL CHECK (isClosed IN (0, 1)),
            UNIQUE (name, period, firstDay, scoring)
        ) STRICT;

        CREATE TABLE boardScore (
            board INTEGER NOT NULL,
            member INTEGER NOT NULL,
            key INTEGER NOT NULL CHECK (key >= 0),
            PRIMARY KEY (member, board)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX boardScoreByKey ON boardScore (board, key, member);

        CREATE TABLE boardBucket (
            board INTEGER NOT NULL REFERENCES board (number) ON DELETE CASCADE,
            low INTEGER NOT NULL CHECK (low >= 0),
            places INTEGER NOT NULL CHECK (places >= 0),
            PRIMARY KEY (board, low)
        ) STRICT, WITHOUT ROWID;
        """
}
