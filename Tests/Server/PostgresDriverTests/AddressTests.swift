import PostgresDriver
import Testing

@Suite struct AddressTests {
    @Test func allPartsAreRead() throws {
        let address = try PostgresAddress(
            "postgres://us%40er:p%40ss%3Aw%2F@db1.example:6432,[::1]/my%20db"
                + "?sslmode=verify-full&sslrootcert=/etc/ca.pem&target_session_attrs=read-write"
                + "&connect_timeout=3&application_name=underway")
        #expect(
            address.hosts == [
                PostgresAddress.Host("db1.example", port: 6432), PostgresAddress.Host("::1"),
            ])
        #expect(address.user == "us@er")
        #expect(address.password?.reveal() == "p@ss:w/")
        #expect(address.database == "my db")
        #expect(address.tlsMode == .verifyFull)
        #expect(address.rootCertificate == "/etc/ca.pem")
        #expect(address.sessionAttributes == .readWrite)
        #expect(address.connectTimeout == .seconds(3))
        #expect(address.applicationName == "underway")
    }

    @Test func aSocketIsNamedByItsFolder() throws {
        let address = try PostgresAddress("postgresql:///underway?host=/run/postgresql")
        #expect(address.hosts == [PostgresAddress.Host("/run/postgresql")])
        #expect(address.user == nil)
    }

    @Test func noFormOfItShowsThePassword() throws {
        let address = try PostgresAddress("postgres://u:hunter2@h/d")
        var dumped = ""
        dump(PoolSettings(address), to: &dumped)
        let texts = [
            "\(address)", String(reflecting: address), "\(PoolSettings(address))",
            String(reflecting: PoolSettings(address)), dumped, "\(HiddenText("hunter2"))",
        ]
        for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
        #expect("\(address)" == "postgres://u@h/d?sslmode=verify-full")
    }

    @Test(arguments: [
        ("postgres://db.example/d", PostgresAddress.TLSMode.verifyFull),
        ("postgres://10.0.0.3/d", .verifyFull), ("postgres://localhost,db.example/d", .verifyFull),
        ("postgres://127.example.com/d", .verifyFull),
        ("postgres://localhost.example/d", .verifyFull),
        ("postgres://localhost/d", .prefer), ("postgres://127.0.0.1:6432/d", .prefer),
        ("postgres://[::1]/d", .prefer), ("postgres:///d?host=/run/postgresql", .prefer),
        ("postgres:///d", .prefer), ("postgres://db.example/d?sslmode=prefer", .prefer),
    ])
    func anotherMachineMustShowItsCertificate(text: String, mode: PostgresAddress.TLSMode) throws {
        #expect(try PostgresAddress(text).tlsMode == mode)
    }

    @Test(arguments: [
        ("http://u:hunter2@h/d", "scheme"), ("postgres://u:hunter2%@h/d", "password"),
        ("postgres://u:hunter2%00@h/d", "password"), ("postgres://u:hunter2@h:0/d", "port"),
        ("postgres://u:hunter2@h:port/d", "port"), ("postgres://u:hunter2@,/d", "host"),
        ("postgres://u:hunter2@h/d?sslmode=on", "value of sslmode"),
        ("postgres://u:hunter2@h/d?hunter2", "list of settings"),
        ("postgres://u:hunter2@h/d?hunter2=1", "setting; it has one that is unknown"),
        ("postgres://u:hunter2@h/d?connect_timeout=-1", "value of connect_timeout"),
        ("postgres://u:hunter2@h/d?host=/run", "value of host"),
    ])
    func aWrongPartIsNamedWithoutItsText(text: String, part: String) {
        let error = #expect(throws: PostgresAddressError.self) { try PostgresAddress(text) }
        #expect(error?.part == part)
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }
}
