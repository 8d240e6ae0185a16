extension UserSchema {
    /// Live events, with their submissions and scores.
    static let events = """
        CREATE TABLE event (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE,
            text TEXT NOT NULL CHECK (json_valid(text)),
            changes INTEGER NOT NULL DEFAULT 0 CHECK (changes >= 0),
            frozenAt INTEGER,
            places INTEGER NOT NULL DEFAULT 0 CHECK (places >= 0)
        ) STRICT;

        CREATE TABLE eventSubmission (
            event INTEGER NOT NULL REFERENCES event (number) ON DELETE CASCADE,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            id TEXT NOT NULL,
            points INTEGER NOT NULL CHECK (points >= 0),
            at INTEGER NOT NULL,
            PRIMARY KEY (event, account, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX eventSubmissionByAccount ON eventSubmission (account);

        CREATE TABLE eventScore (
            event INTEGER NOT NULL REFERENCES event (number) ON DELETE CASCADE,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            score INTEGER NOT NULL CHECK (score >= 0),
            second INTEGER NOT NULL CHECK (second >= 0),
            submissions INTEGER NOT NULL CHECK (submissions > 0),
            change INTEGER NOT NULL DEFAULT 0,
            rank INTEGER CHECK (rank > 0),
            PRIMARY KEY (event, account)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX eventScoreByChange ON eventScore (event, change);
        CREATE INDEX eventScoreByRank ON eventScore (event, rank) WHERE rank IS NOT NULL;
        CREATE INDEX eventScoreByAccount ON eventScore (account);
        """
}
