extension UserSchema {
    /// Cards (questions of a bank) and reviews (answers without their texts, 20 bytes instead of 250).
    ///
    /// They are derived from the answers in bounded steps when a schedule or progress is read. Days are the learner's,
    /// from the rollover hour in the zone of each answer. `isStudy` is true for the modes that use up the limits of a day.
    /// A retracted answer is no review; its card counts it in `retracted`, because the learner saw the question.
    static let schedules = """
        CREATE TABLE countedClient (
            number INTEGER PRIMARY KEY,
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            client TEXT NOT NULL,
            counted INTEGER NOT NULL DEFAULT 0 CHECK (counted >= 0),
            latest INTEGER,
            wasWrong INTEGER NOT NULL DEFAULT 0 CHECK (wasWrong IN (0, 1)),
            UNIQUE (user, client)
        ) STRICT;

        CREATE TABLE countedRollover (
            user TEXT PRIMARY KEY NOT NULL
                REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            rolloverHour INTEGER NOT NULL CHECK (rolloverHour BETWEEN 0 AND 23)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE card (
            number INTEGER PRIMARY KEY,
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            answers INTEGER NOT NULL CHECK (answers >= 0),
            retracted INTEGER NOT NULL DEFAULT 0 CHECK (retracted >= 0),
            lastMilliseconds INTEGER NOT NULL,
            lastClient INTEGER NOT NULL,
            lastCounter INTEGER NOT NULL,
            phase TEXT NOT NULL CHECK (phase IN ('new', 'learning', 'review', 'relearning')),
            step INTEGER NOT NULL CHECK (step >= 0),
            stability REAL,
            difficulty REAL,
            lastDay INTEGER,
            dueDay INTEGER,
            dueMoment REAL,
            lapses INTEGER NOT NULL DEFAULT 0 CHECK (lapses >= 0),
            isStale INTEGER NOT NULL CHECK (isStale IN (0, 1)),
            UNIQUE (user, bank, question),
            CHECK (dueDay IS NULL OR dueMoment IS NULL)
        ) STRICT;

        CREATE TABLE review (
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            milliseconds INTEGER NOT NULL,
            client INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            isCorrect INTEGER NOT NULL CHECK (isCorrect IN (0, 1)),
            rating INTEGER CHECK (rating BETWEEN 1 AND 4),
            offsetMinutes INTEGER NOT NULL CHECK (offsetMinutes BETWEEN -1080 AND 1080),
            day INTEGER NOT NULL,
            isStudy INTEGER NOT NULL CHECK (isStudy IN (0, 1)),
            PRIMARY KEY (card, milliseconds, client, counter)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE scheduling (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            bank TEXT NOT NULL,
            settings TEXT NOT NULL,
            PRIMARY KEY (user, bank)
        ) STRICT, WITHOUT ROWID;
        """

    /// Counts by domain and by day, and the corrections by which stored answers are regraded.
    ///
    /// Corrections belong to the content and not to a user, so they apply to all users of the device. Answers do not
    /// change: `review`, `cardDomain` and `studyDay` have the corrected grades.
    static let statistics = """
        CREATE TABLE cardDomain (
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            domain TEXT NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            PRIMARY KEY (card, domain)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE studyDay (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            day INTEGER NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            questions INTEGER NOT NULL,
            PRIMARY KEY (user, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE gradeCorrection (
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            version TEXT NOT NULL,
            wrongKey TEXT NOT NULL,
            rightKey TEXT NOT NULL,
            day TEXT,
            type TEXT NOT NULL,
            options TEXT NOT NULL,
            appliedAt INTEGER NOT NULL,
            PRIMARY KEY (bank, question, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE correctedBank (
            bank TEXT PRIMARY KEY NOT NULL,
            document TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
