import Foundation
import TestSupport
import Testing

/// The configuration of `serve` by options, environment and file, as an operator sees it.
@Suite struct ServeConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func printed(
        _ words: [String] = [], file: String? = nil, variables: [String] = []
    ) async throws -> Tool.Result {
        var arguments = ["serve", "--print-config"] + words
        if let file {
            try Data(file.utf8).write(to: folder.url.appending(path: "serve.yaml"))
            arguments += ["--config", folder.path + "/serve.yaml"]
        }
        let environment = variables.map { "'\($0)'" }.joined(separator: " ")
        return try await Tool.run(arguments, inShell: "exec env \(environment) \"$@\"")
    }

    private func line(_ name: String, _ result: Tool.Result) -> String? {
        result.output.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .map {
                $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            }
    }

    @Test func anOptionWinsOverAVariableAndThatOverTheFile() async throws {
        let file = "port: 1\nthreads: 2\nquiet: true\nhost: 10.0.0.9\ntrusted-proxy: [10.0.0.1]\n"
        let result = try await printed(
            ["--port", "3", "--no-quiet"], file: file,
            variables: ["UNDERWAY_PORT=2", "UNDERWAY_THREADS=5", "UNDERWAY_METRICS="])
        #expect(result.status == 0, "\(result.errors)")
        #expect(line("port", result) == "port 3 (option)")
        #expect(line("quiet", result) == "quiet no (option)")
        #expect(line("threads", result) == "threads 5 (environment)")
        #expect(line("host", result) == "host 10.0.0.9 (file)")
        #expect(line("trusted-proxy", result) == "trusted-proxy 10.0.0.1 (file)")
        #expect(line("metrics", result) == "metrics none (default)")
        #expect(line("release", result) == "release release (default)")
    }

    /// Where other machines reach the server and no proxy is named, it says so once.
    @Test(arguments: [
        (["--host", "0.0.0.0"], 1), (["--host", "::"], 1), ([], 0), (["--host", "::1"], 0),
        (["--host", "0.0.0.0", "--trusted-proxy", "10.0.0.1"], 0),
        (["--host", "0.0.0.0", "--behind-proxy"], 0),
    ])
    func whatOthersCanReadIsSaidOnce(words: [String], count: Int) async throws {
        let result = try await Tool.run(
            ["serve", "--port", "0", "--release", folder.path, "--data", folder.path + "/users"]
                + words, endedOnceItSays: "Serving ")
        #expect(result.status == 0, "\(result.errors)")
        let warnings = result.errors.components(separatedBy: "without TLS: passwords and tokens")
        #expect(warnings.count - 1 == count, "\(result.errors)")
    }

    @Test func noPasswordIsPrinted() async throws {
        let result = try await printed(
            ["--data", folder.path], file: "redis: redis://u:geheim@h:1/0\n",
            variables: ["UNDERWAY_DATABASE=postgres://u:geheim@h/d"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(line("redis", result) == "redis redis://u@h:1/0 (file)")
        #expect(line("database", result)?.contains("u@h/d") == true)
        #expect(!(result.output + result.errors).contains("geheim"))
        let bad = try await printed(
            ["--data", folder.path], variables: ["UNDERWAY_REDIS=radis://u:geheim@h"])
        #expect(bad.status == 64 && !(bad.output + bad.errors).contains("geheim"))
    }

    @Test(arguments: [
        ("port: 1\nprot: 2\n", "serve.yaml, line 2: there is no setting \"prot\""),
        ("port: [1]\n", "serve.yaml, line 1: port must be a whole number"),
        ("quiet: true\n\nport: \"80\"\n", "serve.yaml, line 3: port must be a whole number"),
        ("database:\n  host: x\n", "serve.yaml, line 1: database must be a text"),
        ("threads: {}\n", "serve.yaml, line 1: threads must be a whole number"),
        ("trusted-proxy:\n  a: b\n", "serve.yaml, line 1: trusted-proxy must be a list of texts"),
        ("metrics:\n", "serve.yaml, line 1: metrics must be a text"),
        ("port: 99999\n", "--port takes 0 to 65535. The value is that of port in"),
        ("traces: ftp://h\n", "The value is that of traces in"),
        ("quiet: maybe\n", "serve.yaml: quiet must be true or false"),
        ("port: 70000\n", "--port takes 0 to 65535"), ("- port\n", "is not a configuration"),
        ("port: \"9\nx", "serve.yaml, line 2"), ("data: \"\"\n", "serve.yaml: data: "),
        ("port: 1\nport: 2\n", "serve.yaml, line 2"),
        ("database-connections: 4\n", "Name it with --database"),
    ])
    func aFileWithAMistakeSaysWhere(file: String, text: String) async throws {
        let result = try await printed(file: file)
        #expect(result.status == 64 && result.errors.contains(text), "\(result)")
    }

    @Test func aFileThatCannotBeAConfigurationIsRefused() async throws {
        let long = try await printed(file: String(repeating: "# comment\n", count: 7_000))
        #expect(long.status == 64 && long.errors.contains("longer than 65536 bytes"), "\(long)")
        let missing = try await Tool.run(["serve", "--config", folder.path + "/none"])
        #expect(missing.status == 4 && missing.errors.contains("There is no file"))
        let variable = try await printed(variables: ["UNDERWAY_THREADS=many"])
        #expect(variable.status == 64)
        #expect(variable.errors.contains("UNDERWAY_THREADS must be a whole number"))
    }

    @Test func aServerRunsByAFileAlone() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/rel", withIntermediateDirectories: true)
        let file = folder.path + "/serve.yaml"
        try Data("release: \(folder.path)/rel\ndata: \(folder.path)/users\nquiet: true\n".utf8)
            .write(to: URL(fileURLWithPath: file))
        let server = try await Tool.Server([], command: ["serve", "--config", file])
        #expect(server.port > 0)
        #expect(try await server.end() == 0)
        #expect(folder.exists("users/users.sqlite"))
    }
}
