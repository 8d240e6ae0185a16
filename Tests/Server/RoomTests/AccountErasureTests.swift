import GRDB
import Testing

@testable import Accounts

/// The rows that go with an account, found by the references of whatever tables there are.
@Suite struct AccountErasureTests {
    private let connections: DatabaseQueue

    /// Two accounts with a device, three answers and six remarks each, and a table that refers to none.
    init() throws {
        connections = try DatabaseQueue()
        try connections.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE account (number INTEGER PRIMARY KEY);
                    CREATE TABLE device (
                        number INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES account (number));
                    CREATE TABLE answer (
                        device INTEGER NOT NULL REFERENCES device (number), place INTEGER NOT NULL,
                        PRIMARY KEY (device, place)) WITHOUT ROWID;
                    CREATE TABLE remark (
                        number INTEGER PRIMARY KEY, device INTEGER NOT NULL, place INTEGER NOT NULL,
                        FOREIGN KEY (device, place) REFERENCES answer (device, place));
                    CREATE TABLE other (number INTEGER PRIMARY KEY);
                    INSERT INTO other VALUES (1);
                    """)
            for account in 1...2 {
                try database.execute(sql: "INSERT INTO account VALUES (\(account))")
                try database.execute(sql: "INSERT INTO device VALUES (\(account * 10), \(account))")
                for place in 1...3 {
                    try database.execute(
                        sql: "INSERT INTO answer VALUES (\(account * 10), \(place))")
                    for _ in 1...2 {
                        try database.execute(
                            sql: """
                                INSERT INTO remark (device, place) VALUES (\(account * 10), \(place))
                                """)
                    }
                }
            }
        }
    }

    private func counts() throws -> [Int] {
        try connections.read { database in
            try ["account", "device", "answer", "remark", "other"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0
            }
        }
    }

    private func delete(_ account: Int64, atMost limit: Int) throws {
        try connections.write { try AccountErasure(of: account, in: $0).delete(atMost: limit) }
    }

    /// The database refuses to remove a row that another one still refers to.
    @Test func theMostDependentRowsGoFirst() throws {
        try delete(1, atMost: 100)
        #expect(try counts() == [1, 1, 3, 6, 1])
        let left = try connections.read { try Int.fetchAll($0, sql: "SELECT device FROM remark") }
        #expect(Set(left) == [20])
        try delete(2, atMost: 100)
        #expect(try counts() == [0, 0, 0, 0, 1])
    }

    @Test func aBatchEndsAtItsLimitAndTheAccountGoesLast() throws {
        var seen: [[Int]] = []
        for _ in 0..<6 {
            try delete(1, atMost: 2)
            seen.append(try counts())
        }
        #expect(
            seen == [
                [2, 2, 6, 10, 1], [2, 2, 6, 8, 1], [2, 2, 6, 6, 1], [2, 2, 4, 6, 1],
                [2, 1, 3, 6, 1], [1, 1, 3, 6, 1],
            ])
    }

    /// Tables that refer to each other must not make the search endless.
    @Test func aCycleOfReferencesEnds() throws {
        try connections.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE first (
                        number INTEGER PRIMARY KEY, account INTEGER REFERENCES account (number),
                        next INTEGER REFERENCES second (number));
                    CREATE TABLE second (
                        number INTEGER PRIMARY KEY, back INTEGER REFERENCES first (number));
                    INSERT INTO first VALUES (1, 1, NULL), (2, 2, NULL);
                    INSERT INTO second VALUES (1, 1), (2, 2);
                    """)
        }
        try delete(1, atMost: 100)
        let left = try connections.read { database in
            try ["first", "second", "account"].map {
                try Int.fetchAll(database, sql: "SELECT number FROM \($0)")
            }
        }
        #expect(left == [[2], [2], [2]])
    }
}
