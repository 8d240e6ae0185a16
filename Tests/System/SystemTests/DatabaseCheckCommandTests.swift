import DatabaseTestSupport
import Foundation
import GRDB
import TestSupport
import Testing

/// `db check` and `db restored`, as an operator types them.
@Suite struct DatabaseCheckCommandTests {
    @Test func faultsOfPostgreSQLEndWithOne() async throws {
        let world = try await DatabaseWorld()
        let check = ["db", "check", "--database", world.address()]
        let fine = try await Tool.run(check)
        #expect(fine.status == 0, "\(fine.errors)")
        #expect(
            fine.output == "No fault was found. 0 accounts, 0 records and 0 answers were read.\n")
        try await world.execute(
            """
            INSERT INTO underway.account (id, user_id, created_at, digest)
            VALUES ('5a3f0f2e-27b5-4f3c-9d0c-0b8f3a2f3c11', '5a3f0f2e-27b5-4f3c-9d0c-0b8f3a2f3c11', 0,
                '1.1.1');
            ALTER TABLE underway.mark DISABLE ROW LEVEL SECURITY;
            """)
        let text = try await Tool.run(check)
        #expect(text.status == 1 && text.output.contains("2 faults. 1 account, 0 records"))
        #expect(text.output.contains("table underway.mark: Row level security"), "\(text.output)")
        #expect(
            text.output.contains(
                "account 1: The digest of its records is wrong.\n  Run as a superuser: UPDATE"))
        let json = try await Tool.run(check + ["--json"])
        #expect(json.status == 1)
        for part in ["\"kind\": \"digest\"", "\"kind\": \"policy\"", "\"code\": \"contentErrors\""]
        {
            #expect(json.output.contains(part), "\(json.output)")
        }
        for output in [text.output, text.errors, json.output, json.errors] {
            #expect(!output.contains(world.postgres.password) && !output.contains("5a3f0f2e"))
        }
    }

    @Test func aDatabaseThatDoesNotAnswerIsAFault() async throws {
        let result = try await Tool.run(
            ["db", "check"],
            inShell: "export UNDERWAY_DATABASE=postgres://a:s3cret@127.0.0.1:1/x; exec \"$@\"")
        #expect(
            result.status == 1 && result.output.contains("cannot be reached"), "\(result.errors)")
        #expect(!(result.output + result.errors).contains("s3cret"))
        let restored = try await Tool.run(
            ["db", "restored", "--database", "postgres://a:s3cret@127.0.0.1:1/x"])
        #expect(restored.status == 3 && !restored.errors.contains("s3cret"), "\(restored.errors)")
    }

    @Test func faultsOfSQLiteEndWithOne() async throws {
        let devices = try await CommandDevices()
        defer { try? devices.server.kill() }
        try await devices.reserve("int/swift", "2027-12-24", on: "phone")
        try await devices.sync("phone")
        let data = devices.fleet.folder.path + "/users"
        let check = ["db", "check", "--data", data]
        // While the server runs.
        let fine = try await Tool.run(check)
        #expect(fine.status == 0, "\(fine.output)\(fine.errors)")
        #expect(fine.output.hasPrefix("No fault was found. 1 account, 1 record and 0 answers"))
        try await DatabaseQueue(path: data + "/users.sqlite").write {
            try $0.execute(sql: "UPDATE account SET record_bytes = 1")
        }
        let wrong = try await Tool.run(check)
        #expect(wrong.status == 1 && wrong.output.contains("the account says 1"), "\(wrong.output)")
        #expect(!wrong.output.contains("swift"))
    }

    @Test func theDataHasToBeNamedOnce() async throws {
        let both = ["--data", "/", "--database", "postgres://a@b/c"]
        for command in ["check", "restored"] {
            #expect(try await Tool.run(["db", command] + both).status == 64)
            let none = try await Tool.run(["db", command])
            #expect(none.status == 64 && none.errors.contains("UNDERWAY_DATABASE"))
            #expect(try await Tool.run(["db", command, "--data", "/"]).status == 6)
        }
    }
}
