extension SQLiteCopy {
    /// Returns the query whose columns are those of the table, in the order of its key.
    static func selection(_ table: CopyTable) -> String {
        switch table {
        case .settings: "SELECT name, value FROM setting WHERE name = 'generation'"
        case .accounts: accounts
        case .passwords:
            """
            SELECT account, email, salt, hash, rounds, verifiedAt AS verified_at FROM password
            ORDER BY account
            """
        case .identities: "SELECT issuer, subject, account FROM identity ORDER BY issuer, subject"
        case .emailCodes:
            """
            SELECT account, purpose, hash, email, expiresAt AS expires_at FROM emailCode
            ORDER BY account, purpose, hash
            """
        case .refreshTokens:
            """
            SELECT hash, family, parent, account, expiresAt AS expires_at, usedAt AS used_at, generation
            FROM refreshToken ORDER BY hash
            """
        case .devices: devices
        case .records:
            """
            SELECT account, collection, id, position, batch, deletedAt AS deleted_at, json FROM record
            ORDER BY account, collection, id
            """
        case .damagedRecords:
            """
            SELECT account, collection, id, position, foundAt AS found_at, json FROM damagedRecord
            ORDER BY account, position
            """
        case .marks: "SELECT account, position, text FROM mark ORDER BY account, position"
        case .results:
            """
            SELECT device.account AS account, device.name AS device, counter, kind, revision, refusal, hash
            FROM device JOIN verdict ON verdict.device = device.number
            ORDER BY device.account, device.name, counter
            """
        case .answers: answers
        case .moves:
            """
            SELECT source, target, answers, begunAt AS begun_at, finishedAt AS finished_at, place FROM accountMove
            ORDER BY source
            """
        case .boardProfiles:
            """
            SELECT account, code, name, isListed AS is_listed, isNameBlocked AS is_name_blocked
            FROM boardProfile ORDER BY account
            """
        case .boardDefinitions: "SELECT name, text FROM boardDefinition ORDER BY name"
        case .events:
            "SELECT number, id, name, text, frozenAt AS frozen_at, places FROM event ORDER BY number"
        case .eventSubmissions:
            """
            SELECT event, account, id, points, at FROM eventSubmission ORDER BY event, account, id
            """
        case .eventScores:
            """
            SELECT event, account, score, second, submissions, rank FROM eventScore
            ORDER BY event, account
            """
        case .deviceContents:
            """
            SELECT device.account AS account, device.name AS device, release, obstacle, since, day
            FROM deviceContent JOIN device ON device.number = deviceContent.device
            ORDER BY device.account, device.name
            """
        case .roles: "SELECT account, role, since FROM role ORDER BY account, role"
        case .auditEntries:
            "SELECT number, at, actor, action, subject, detail FROM audit ORDER BY number"
        case .proposals:
            """
            SELECT number, bank, question, version, key, proposedKey AS proposed_key, state, evidence,
                flaggedAt AS flagged_at, changedAt AS changed_at, actor, decidedAt AS decided_at,
                reason, release, shippedAt AS shipped_at, follows
            FROM proposal ORDER BY number
            """
        case .releaseSpreads:
            """
            SELECT release, servedAt AS served_at, half, most, nearlyAll AS nearly_all
            FROM releaseSpread ORDER BY release
            """
        }
    }

    private static let accounts = """
        SELECT number, id, createdAt AS created_at, position, purgedThrough AS purged_through, digest,
            epoch, recordBytes AS record_bytes, answerBytes AS answer_bytes,
            answerCount AS answer_count, lastUsedAt AS last_used_at, deletedAt AS deleted_at,
            tokenGeneration AS token_generation
        FROM account ORDER BY number
        """

    private static let devices = """
        SELECT account, name, settledBefore AS processed_before, requestNumber AS request_number,
            requestHash AS request_hash, headPosition AS head_position, headEpoch AS head_epoch,
            lastSeenAt AS last_seen_at, isRetired AS is_retired,
            CASE WHEN account IN (\(wholeAccounts)) THEN lastAnswer ELSE 0 END AS last_answer,
            row_number() OVER (PARTITION BY account ORDER BY number) AS place
        FROM device ORDER BY account, number
        """

    /// All but the closed accounts whose answers upkeep removes in pieces: after a kill some are left.
    private static let wholeAccounts = """
        SELECT number FROM account AS whole WHERE id NOT GLOB 'deleted *' OR NOT EXISTS (
            SELECT 1 FROM device AS one WHERE one.account = whole.number AND lastAnswer <> (
                SELECT count(*) FROM answerRow AS its WHERE its.device = one.number))
        """

    /// Numbers that old rows lack are 0, as wherever answers are read.
    private static let answers = """
        SELECT device.account AS account, device.name AS device, answerRow.counter AS counter,
            answerRow.question IS NULL AS is_void, answerQuestion.bank AS bank,
            answerQuestion.question AS question, answerQuestion.domain AS domain,
            answerQuestion.version AS version, answerSession.session AS session,
            answerSession.mode AS mode,
            CASE typeof(answerRow.response) WHEN 'integer' THEN
                (SELECT options FROM answerResponse WHERE number = answerRow.response)
                ELSE answerRow.response END AS options,
            answerRow.isCorrect AS is_correct,
            coalesce(answerRow.credit, CAST(answerRow.isCorrect AS REAL)) AS credit,
            answerRow.rating AS rating,
            CASE WHEN answerRow.question IS NOT NULL THEN coalesce(answerRow.takenMilliseconds, 0) END
                AS taken,
            CASE WHEN answerRow.question IS NOT NULL THEN coalesce(answerRow.exposuresBefore, 0) END
                AS exposures,
            CASE WHEN answerRow.question IS NOT NULL THEN coalesce(answerRow.isRandomlySelected, 0) END
                AS is_random,
            answerRow.milliseconds AS at, answerRow.offsetMinutes AS "offset"
        FROM device JOIN answerRow ON answerRow.device = device.number
            LEFT JOIN answerQuestion ON answerQuestion.number = answerRow.question
            LEFT JOIN answerSession ON answerSession.number = answerRow.session
        WHERE device.account IN (\(wholeAccounts))
        ORDER BY device.account, device.name, answerRow.counter
        """

    /// Returns the statement that adds a row, of which it takes as many values from the first on as it has places.
    static func insertion(_ table: CopyTable) -> String {
        switch table {
        case .settings: "INSERT INTO setting (name, value) VALUES (?, ?)"
        case .accounts:
            """
            INSERT INTO account (number, id, createdAt, position, purgedThrough, digest, epoch,
                recordBytes, answerBytes, answerCount, lastUsedAt, deletedAt, tokenGeneration)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .passwords:
            """
            INSERT INTO password (account, email, salt, hash, rounds, verifiedAt)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .identities: "INSERT INTO identity (issuer, subject, account) VALUES (?, ?, ?)"
        case .emailCodes:
            "INSERT INTO emailCode (account, purpose, hash, email, expiresAt) VALUES (?, ?, ?, ?, ?)"
        case .refreshTokens:
            """
            INSERT INTO refreshToken (hash, family, parent, account, expiresAt, usedAt, generation)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        case .devices:
            """
            INSERT INTO device (account, name, settledBefore, requestNumber, requestHash, headPosition,
                headEpoch, lastSeenAt, isRetired)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .records:
            """
            INSERT INTO record (account, collection, id, position, batch, deletedAt, json)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        case .damagedRecords:
            """
            INSERT INTO damagedRecord (account, collection, id, position, foundAt, json)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .marks: "INSERT INTO mark (account, position, text) VALUES (?, ?, ?)"
        case .results:
            """
            INSERT INTO verdict (device, counter, kind, revision, refusal, hash)
            VALUES ((SELECT number FROM device WHERE account = ? AND name = ?), ?, ?, ?, ?, ?)
            """
        case .answers: ""
        case .moves:
            """
            INSERT INTO accountMove (source, target, answers, begunAt, finishedAt, place)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .boardProfiles:
            """
            INSERT INTO boardProfile (account, code, name, isListed, isNameBlocked)
            VALUES (?, ?, ?, ?, ?)
            """
        case .boardDefinitions: "INSERT INTO boardDefinition (name, text) VALUES (?, ?)"
        case .events:
            """
            INSERT INTO event (number, id, name, text, frozenAt, places) VALUES (?, ?, ?, ?, ?, ?)
            """
        case .eventSubmissions:
            "INSERT INTO eventSubmission (event, account, id, points, at) VALUES (?, ?, ?, ?, ?)"
        case .eventScores:
            """
            INSERT INTO eventScore (event, account, score, second, submissions, rank)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .deviceContents:
            """
            INSERT INTO deviceContent (device, release, obstacle, since, day)
            VALUES ((SELECT number FROM device WHERE account = ? AND name = ?), ?, ?, ?, ?)
            """
        case .roles: "INSERT INTO role (account, role, since) VALUES (?, ?, ?)"
        case .auditEntries:
            """
            INSERT INTO audit (number, at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?, ?)
            """
        case .proposals:
            """
            INSERT INTO proposal (number, bank, question, version, key, proposedKey, state, evidence,
                flaggedAt, changedAt, actor, decidedAt, reason, release, shippedAt, follows)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .releaseSpreads:
            """
            INSERT INTO releaseSpread (release, servedAt, half, most, nearlyAll) VALUES (?, ?, ?, ?, ?)
            """
        }
    }
}
