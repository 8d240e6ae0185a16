extension UserSchema {
    /// The statistics of answers.
    ///
    /// Days are numbered since 1970 in UTC; an empty domain is none. Questions are numbered, so that their texts are
    /// stored once and not for each day.
    static let statistics = """
        CREATE TABLE answered_question (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            number INTEGER NOT NULL UNIQUE,
            PRIMARY KEY (account, bank, question)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE question_day (
            question INTEGER NOT NULL REFERENCES answered_question (number) ON DELETE CASCADE,
            day INTEGER NOT NULL CHECK (day >= 0),
            PRIMARY KEY (question, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE question_domain (
            question INTEGER NOT NULL REFERENCES answered_question (number) ON DELETE CASCADE,
            domain TEXT NOT NULL,
            PRIMARY KEY (question, domain)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE day_statistics (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            questions INTEGER NOT NULL,
            taken_milliseconds INTEGER NOT NULL,
            PRIMARY KEY (account, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE domain_statistics (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            bank TEXT NOT NULL,
            domain TEXT NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            questions INTEGER NOT NULL,
            last_milliseconds INTEGER NOT NULL,
            PRIMARY KEY (account, bank, domain)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE question_difficulty (
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            difficulty INTEGER NOT NULL CHECK (difficulty BETWEEN 1 AND 5),
            PRIMARY KEY (bank, question)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE difficulty_bank (
            bank TEXT PRIMARY KEY NOT NULL,
            checksum TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
