extension UserSchema {
    /// The answers that retractions name, so that those of an answer are found without a walk over all answers.
    ///
    /// Triggers derive the table from the rows of answers, also when these are moved to another device's name.
    static let retractions = """
        CREATE TABLE retraction (
            device INTEGER NOT NULL REFERENCES answerDevice (number) ON DELETE CASCADE,
            counter INTEGER NOT NULL,
            client TEXT NOT NULL,
            target INTEGER NOT NULL,
            PRIMARY KEY (device, counter)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX retractionByTarget ON retraction (client, target);

        CREATE TRIGGER retractionAdded AFTER INSERT ON answerRow WHEN \(isRetraction("NEW"))
        BEGIN
            INSERT INTO retraction (device, counter, client, target) VALUES (\(values("NEW")));
        END;

        CREATE TRIGGER retractionMoved AFTER UPDATE OF device, counter, response ON answerRow
        WHEN \(isRetraction("NEW"))
        BEGIN
            DELETE FROM retraction WHERE device = OLD.device AND counter = OLD.counter;
            INSERT OR REPLACE INTO retraction (device, counter, client, target)
                VALUES (\(values("NEW")));
        END;

        CREATE TRIGGER retractionRemoved AFTER DELETE ON answerRow WHEN \(isRetraction("OLD"))
        BEGIN
            DELETE FROM retraction WHERE device = OLD.device AND counter = OLD.counter;
        END;
        """

    /// A response of a kind of its own is a text in its row, see `AnswerSchema`.
    private static func isRetraction(_ row: String) -> String {
        "typeof(\(row).response) = 'text' AND substr(\(row).response, 1, 11) = '[\"#retract\"'"
    }

    private static func values(_ row: String) -> String {
        "\(row).device, \(row).counter, json_extract(\(row).response, '$[1]'), "
            + "CAST(json_extract(\(row).response, '$[2]') AS INTEGER)"
    }
}
