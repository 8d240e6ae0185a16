import Tables
import Testing

/// The statements of a copy between both kinds of database.
@Suite struct TableCopyTests {
    private let note = Table(
        "note",
        [
            .identity(), .account, .flag("is_read"), .bytes("hash"), .json("place").optional,
            .int64("change").derived, .uuid("token").optional.only(.postgres),
        ],
        key: ["number"], copied: .rows(where: "is_read"))

    private let visit = Table(
        "visit", [.int64("account").only(.postgres), .int32("device"), .int64("at")],
        key: ["account", "device"],
        references: [Reference(["account", "device"], to: "device", ["account", "number"])],
        copied: .all)

    @Test func rowsAreReadInOneFormInTheOrderOfTheKey() {
        #expect(
            note.copiedColumns.map(\.name) == ["number", "account", "is_read", "hash", "place"])
        #expect(
            note.copySelection(.sqlite, computed: ["hash": "x'00'"])
                == "SELECT its.number AS number, its.account AS account, its.is_read AS is_read, x'00' AS hash,"
                + " its.place AS place FROM note AS its WHERE is_read ORDER BY its.number")
        #expect(
            note.copySelection(.postgres)
                == "SELECT its.number AS number, its.account AS account, its.is_read::integer AS is_read,"
                + " its.hash AS hash, its.place::text AS place FROM underway.note AS its WHERE is_read"
                + " ORDER BY its.number")
    }

    @Test func rowsAreAddedInTheFormOfTheTarget() {
        #expect(
            note.copyInsertion(.sqlite, without: ["number"])
                == "INSERT INTO note (account, is_read, hash, place) VALUES (?2, ?3, ?4, ?5)")
        #expect(
            note.copyInsertion(.postgres, further: note.columns.filter { $0.kind == .uuid })
                == "INSERT INTO underway.note (number, account, is_read, hash, place, token)"
                + " OVERRIDING SYSTEM VALUE SELECT its.number, its.account, its.is_read <> 0,"
                + " decode(its.hash, 'hex'), its.place::json, its.token::uuid FROM rows AS its")
    }

    @Test func devicesAreCopiedByName() {
        #expect(visit.columns.filter(visit.isDevice).map(\.name) == ["device"])
        #expect(
            visit.copySelection(.sqlite)
                == "SELECT device.account AS account, device.name AS device, its.at AS at FROM visit AS its"
                + " JOIN device AS device ON device.number = its.device"
                + " ORDER BY device.account, device.name")
        #expect(
            visit.copyInsertion(.sqlite)
                == "INSERT INTO visit (device, at)"
                + " VALUES ((SELECT number FROM device WHERE account = ?1 AND name = ?2), ?3)")
        #expect(
            visit.copyInsertion(.postgres)
                == "INSERT INTO underway.visit (account, device, at)"
                + " SELECT its.account, device.number, its.at FROM rows AS its"
                + " JOIN underway.device AS device ON device.account = its.account AND device.name = its.device"
        )
    }

    /// A new table of both databases is copied, or stands here with the reason.
    @Test func whatIsNotCopiedFollowsFromWhatIs() {
        let derived = Table.all.filter { !$0.isCopied && $0.place == .both }.map(\.name)
        #expect(
            Set(derived) == [
                // Of answers, and of boards' definitions.
                "session_score", "board", "board_score", "board_bucket", "board_change",
                // Of consents, reports and answers, which the next review reads.
                "contributor", "first_answer", "question_report", "review_change",
                // Of the corrections of the release that is served, and of answers.
                "corrected_version", "regrade_state", "regrade_note", "regraded_answer",
            ])
    }
}
