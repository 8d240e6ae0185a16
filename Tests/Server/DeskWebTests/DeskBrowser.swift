import Accounts
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import Logging
import NIOCore
import NIOEmbedded
import Publishing
import ServerApplication
import Synchronization
import TestSupport
import Testing

@testable import DeskWeb

/// A content folder, a release, accounts and the desk over them, without a socket.
final class DeskWorld: Sendable {
    static let host = "desk.example.org"
    static let origin = "https://desk.example.org"
    static let password = "a long password"

    let folder: TemporaryFolder
    let users: UserBackend
    let desk: DeskApp
    private let respond: @Sendable (HTTPRequest, ByteBuffer) async throws -> DeskReply

    /// The content folder.
    var content: String { folder.path + "/content" }
    /// The release directory.
    var release: String { folder.path + "/release" }

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - questions: The file of questions of the bank `int/made`.
    ///   - needsApproval: True for a desk whose releases a second person approves.
    ///   - signs: Whether devices want the release signed, and then whether the desk has the keys.
    ///   - clock: The wall clock.
    ///   - makeUsers: Opens the users' data; `nil` for SQLite.
    init(
        questions: String = sampleQuestions, needsApproval: Bool = false, signs: Bool? = nil,
        clock: @escaping @Sendable () -> Date = { Date() },
        makeUsers: ((UserServiceOptions) async throws -> UserBackend)? = nil
    ) async throws {
        folder = try TemporaryFolder()
        try folder.write("name: Made\n", to: "content/underway.yaml")
        try folder.write(
            "title: Made\nversion: \"1.0.0\"\n", to: "content/exams/int/made/exam.yaml")
        try folder.write(questions, to: "content/exams/int/made/questions.yaml")
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        ).publish(nowSeconds: 1_700_000_000, generatedAt: "2023-11-14T22:13:20Z")
        var options = UserServiceOptions(folder: URL(filePath: folder.path + "/users"))
        options.passwordRounds = 1024
        if let makeUsers {
            users = try await makeUsers(options)
        } else {
            users = try await UserBackend(options, clock: clock)
        }
        guard let origin = DeskOrigin(Self.origin) else { throw HTTPError(.badRequest) }
        var deskOptions = DeskOptions(
            content: folder.path + "/content", release: folder.path + "/release", origin: origin)
        deskOptions.needsApproval = needsApproval
        if let signs {
            let keys = KeyFolder(folder.path + "/keys")
            _ = try TrustAdministration(releaseDirectory: folder.path + "/release", now: clock())
                .begin(keys: keys, plan: .init(), apart: [])
            if signs { deskOptions.keys = keys.path }
        }
        guard let desk = try DeskApp(deskOptions, users: users, proxies: .nobody) else {
            throw HTTPError(.internalServerError)
        }
        self.desk = desk
        let router = Router(context: ServerContext.self)
        desk.addRoutes(to: router)
        let responder = router.buildResponder()
        respond = { head, body in
            let source = ApplicationRequestContextSource(
                channel: EmbeddedChannel(), logger: Logger(label: "test"))
            do {
                let response = try await responder.respond(
                    to: Request(head: head, body: RequestBody(buffer: body)),
                    context: ServerContext(source: source))
                let text = BodyText()
                try await response.body.write(text)
                return DeskReply(
                    status: response.status.code, headers: response.headers, body: text.text)
            } catch let error as any HTTPResponseError {
                return DeskReply(status: error.status.code, headers: [:], body: "")
            }
        }
    }

    /// Runs git in the content folder.
    ///
    /// - Returns: Its output.
    @discardableResult
    func git(_ words: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", content] + words
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "git \(words)")
        return text
    }

    /// Makes an account that can sign in.
    ///
    /// - Returns: The account's id.
    @discardableResult
    func account(_ email: String, _ roles: Set<Role>) async throws -> String {
        let tokens = try await users.makeAnonymousAccount(address: "192.0.2.1")
        let user = try await users.authentication.authenticatedUser("Bearer \(tokens.accessToken)")
        try await users.upgrade(
            user, email: email, password: Self.password, address: "192.0.2.1")
        for role in roles {
            _ = try await users.administration?.set(
                role, isGranted: true, of: user.id, by: "operator:test")
        }
        return user.id
    }

    /// Signs in by the page, and returns the browser with its cookie.
    func browser(_ roles: Set<Role>, email: String = "ada@example.org") async throws -> DeskBrowser
    {
        try await account(email, roles)
        var browser = DeskBrowser(world: self, cookie: nil)
        let reply = try await browser.post(
            "/desk/sign-in", [("email", email), ("password", Self.password)])
        browser.cookie = reply.cookie
        return browser
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields,
        _ body: ByteBuffer = ByteBuffer(), host: String = host
    ) async throws -> DeskReply {
        try await respond(
            HTTPRequest(
                method: method, scheme: "https", authority: host, path: path,
                headerFields: headers), body)
    }

    static let sampleQuestions = """
        - id: q1 # the first
          type: single-choice
          difficulty: 1
          stem: Of which type is `2.5`?
          options: [{ id: a, text: Float }, { id: b, text: Double }]
          correct: [0]
        - id: q2
          type: single-choice
          difficulty: 2
          stem: Which is a reference type?
          options: [{ id: a, text: class }, { id: b, text: struct }]
          correct: [0]

        """
}

/// A reply with its whole body.
struct DeskReply: Sendable {
    var status: Int
    var headers: HTTPFields
    var body: String

    /// The path that a redirect leads to.
    var location: String? { headers[.location] }
    /// The cookie that the reply sets, without its attributes.
    var cookie: String? { headers[.setCookie]?.split(separator: ";").first.map(String.init) }
    /// The secret of the page's forms.
    var secret: String? {
        body.firstMatch(of: /name="csrf" value="([0-9a-f]+)"/).map { String($0.1) }
    }
}

/// A browser at the desk, which sends what browsers send.
struct DeskBrowser: Sendable {
    let world: DeskWorld
    var cookie: String?

    /// Asks for a page.
    func get(_ path: String, _ more: HTTPFields = [:]) async throws -> DeskReply {
        var headers = more
        if let cookie { headers[.cookie] = cookie }
        return try await world.send(.get, path, headers)
    }

    /// Sends a form, with the secret of the session's forms.
    func post(
        _ path: String, _ form: [(String, String)] = [], _ more: HTTPFields = [:],
        secret: String? = nil
    ) async throws -> DeskReply {
        var headers = more
        if let cookie { headers[.cookie] = cookie }
        if headers[.origin] == nil { headers[.origin] = DeskWorld.origin }
        let token = cookie.map { String($0.dropFirst("desk=".count)) }
        let fields = form + [("csrf", secret ?? token.map(DeskUser.formSecret) ?? "")]
        let body = fields.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }
            .joined(separator: "&")
        return try await world.send(.post, path, headers, ByteBuffer(string: body))
    }

    /// Sends a form in parts, with a file, as a browser does.
    func post(
        _ path: String, _ form: [(String, String)], file: (name: String, bytes: [UInt8])
    ) async throws -> DeskReply {
        let secret = cookie.map { DeskUser.formSecret(of: String($0.dropFirst("desk=".count))) }
        var body = ByteBuffer()
        for (name, value) in form + [("csrf", secret ?? "")] {
            body.writeString(
                "--made\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n")
        }
        body.writeString(
            "--made\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        )
        body.writeBytes(file.bytes)
        body.writeString("\r\n--made--\r\n")
        var headers: HTTPFields = [
            .origin: DeskWorld.origin, .contentType: "multipart/form-data; boundary=made",
        ]
        if let cookie { headers[.cookie] = cookie }
        return try await world.send(.post, path, headers, body)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

/// Takes in what a body writes.
private final class BodyText: ResponseBodyWriter {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { $0 += Array(buffer.readableBytesView) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
