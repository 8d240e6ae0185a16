extension UserSchema {
    /// The declared tables whose keys are others here.
    static let tablesOfDevices: Set = ["device", "result", "device_content"]

    /// Devices, with the results of their operations and what they have installed.
    ///
    /// Answers refer to a device by its number alone, so that a row of them is small: numbers are of the whole database
    /// here, where the declared tables have them within an account. `counted` is the last answer that the statistics have.
    static let devices = """
        CREATE TABLE device (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name TEXT NOT NULL,
            last_answer INTEGER NOT NULL DEFAULT 0,
            processed_before INTEGER NOT NULL DEFAULT 0,
            request_number INTEGER NOT NULL DEFAULT 0,
            request_hash BLOB NOT NULL DEFAULT x'',
            head_position INTEGER NOT NULL DEFAULT 0,
            head_epoch TEXT NOT NULL DEFAULT '',
            last_seen_at INTEGER NOT NULL DEFAULT 0,
            is_retired INTEGER NOT NULL DEFAULT 0 CHECK (is_retired IN (0, 1)),
            counted INTEGER NOT NULL DEFAULT 0,
            answers_sum INTEGER,
            answers_cross INTEGER,
            UNIQUE (account, name)
        ) STRICT;

        CREATE TABLE result (
            device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
            counter INTEGER NOT NULL CHECK (counter > 0),
            hash BLOB NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('accepted', 'merged', 'conflict', 'refused')),
            revision INTEGER NOT NULL DEFAULT 0,
            refusal TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (device, counter)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE device_content (
            device INTEGER PRIMARY KEY REFERENCES device (number) ON DELETE CASCADE,
            release INTEGER NOT NULL CHECK (release >= 0),
            obstacle TEXT NOT NULL DEFAULT '',
            since INTEGER NOT NULL,
            day INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX device_content_by_day ON device_content (day, release, obstacle);
        """
}
