import DatabaseTestSupport
import Foundation
import PostgresDriver
import TestSupport
import Testing

@Suite struct EncryptionTests {
    private func pool(
        _ server: PostgresServer, host: String = "localhost", _ mode: PostgresAddress.TLSMode,
        trusting authority: String?
    ) -> PoolSettings {
        var address = server.address()
        address.hosts = [PostgresAddress.Host(host, port: server.port)]
        address.tlsMode = mode
        address.rootCertificate = authority
        return PoolSettings(address)
    }

    @Test func theCertificateIsVerifiedWithTheHostsName() async throws {
        let folder = try TemporaryFolder()
        let authority = try CertificateAuthority(folder, "right")
        let stranger = try CertificateAuthority(folder, "stranger")
        var settings = PostgresServer.Settings()
        settings.certificate = try authority.certificate(for: "localhost")
        let server = try PostgresServer(settings)

        try await withPool(pool(server, .verifyFull, trusting: authority.path)) { pool in
            let rows = try await pool.query(
                "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            #expect(try rows[0].value("ssl", as: Bool.self))
            let isEncrypted = try await pool.use { $0.isEncrypted }
            #expect(isEncrypted)
        }
        // Another authority; another name of the same host; no authority at all.
        for wrong in [
            pool(server, .verifyFull, trusting: stranger.path),
            pool(server, host: "127.0.0.1", .verifyFull, trusting: authority.path),
            pool(server, .verifyFull, trusting: folder.path + "/missing"),
        ] {
            try await withPool(wrong) { pool in
                let error = await failure { try await pool.query("SELECT 1") }
                #expect(error?.code == .cannotConnect)
                #expect(error?.phase == .connecting)
            }
        }
        // The name does not matter to verify-ca, and nothing does to require.
        for right in [
            pool(server, host: "127.0.0.1", .verifyAuthority, trusting: authority.path),
            pool(server, host: "127.0.0.1", .require, trusting: nil),
        ] {
            try await withPool(right) { pool in
                let isEncrypted = try await pool.use { $0.isEncrypted }
                #expect(isEncrypted)
            }
        }
    }

    @Test func aServerWithoutEncryptionIsRefusedWhereItIsRequired() async throws {
        let settings = pool(try PostgresServer.shared(), .require, trusting: nil)
        try await withPool(settings) { pool in
            let error = await failure { try await pool.query("SELECT 1") }
            #expect(error?.code == .cannotConnect)
        }
    }

    @Test func bigResultsArriveWholeThroughEncryption() async throws {
        let folder = try TemporaryFolder()
        let authority = try CertificateAuthority(folder, "right")
        var settings = PostgresServer.Settings()
        settings.certificate = try authority.certificate(for: "localhost")
        let server = try PostgresServer(settings)
        try await withPool(pool(server, .verifyFull, trusting: authority.path)) { pool in
            for size in [1, 8_191, 8_192, 16_384, 100_000, 5_000_000] {
                let rows = try await pool.query("SELECT repeat('x', \(Int32(size))) AS text")
                #expect(try rows[0].value("text", as: String.self).utf8.count == size)
            }
        }
    }
}

/// An authority whose certificates openssl makes.
private struct CertificateAuthority {
    let path: String
    private let folder: TemporaryFolder
    private let name: String

    init(_ folder: TemporaryFolder, _ name: String) throws {
        self.folder = folder
        self.name = name
        path = "\(folder.path)/\(name).crt"
        try Self.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2",
            "-subj", "/CN=\(name)", "-keyout", "\(folder.path)/\(name).key", "-out", path,
        ])
    }

    func certificate(for host: String) throws -> (chain: String, key: String) {
        let file = "\(folder.path)/\(name)-\(host)"
        try Self.run([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=\(host)",
            "-keyout", "\(file).key", "-out", "\(file).csr",
        ])
        try folder.write("subjectAltName=DNS:\(host)", to: "\(name)-\(host).ext")
        try Self.run([
            "x509", "-req", "-in", "\(file).csr", "-CA", path, "-CAkey",
            "\(folder.path)/\(name).key",
            "-CAcreateserial", "-days", "2", "-extfile", "\(file).ext", "-out", "\(file).crt",
        ])
        return (
            try folder.text("\(name)-\(host).crt"), try folder.text("\(name)-\(host).key")
        )
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments[0])")
    }
}
