import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import StudyModel
import Testing
import Underway

@testable import StudyWeb

/// The pages of a device in memory, asked as the learner's browser asks them, without a socket.
struct StudyBrowser: Sendable {
    /// A reply with its whole body.
    struct Reply: Sendable {
        var status: Int
        var headers: HTTPFields
        /// The body as text.
        var body: String
        /// The body as it is sent.
        var bytes: [UInt8] = []

        /// The path that a redirect leads to.
        var location: String? { headers[.location] }
    }

    static let port = 8_000
    /// The host and port of the app, the same in all tests.
    static let host = "\(link.host):\(port)"
    static let origin = "http://\(host)"
    private static let link = BrowserLink()

    let app: StudyWebApp
    let content: OfflineStore
    let userData: UserStore
    private let respond: @Sendable (HTTPRequest, String) async throws -> Reply

    /// Makes a device with content.
    ///
    /// - Parameters:
    ///   - blueprints: The content.
    ///   - clock: The wall clock.
    init(
        _ blueprints: [Blueprint], clock: @escaping @Sendable () -> Date = { Date() },
        sync: DeviceStudySync? = nil
    ) throws {
        try self.init(
            content: OfflineStore.inMemory(blueprints: blueprints),
            userData: UserStore.inMemory(), clock: clock, sync: sync)
    }

    /// Shows the pages of a device.
    init(
        content: OfflineStore, userData: UserStore,
        clock: @escaping @Sendable () -> Date = { Date() }, sync: DeviceStudySync? = nil
    ) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        try self.init(
            StudyServices(
                content: content, userData: userData, sync: sync,
                announcements: AnnouncementCenter(content: content, userData: userData),
                clock: clock, calendar: calendar), content, userData)
    }

    /// Makes the browser of a device.
    init(_ services: StudyServices, _ content: OfflineStore, _ userData: UserStore) throws {
        self.content = content
        self.userData = userData
        var random = SystemRandomNumberGenerator()
        app = try StudyWebApp(services, secrets: StudySecrets(Self.link, using: &random))
        app.listens(on: Self.port)
        let responder = StudyApplication.router(app).buildResponder()
        respond = { head, body in
            let source = ApplicationRequestContextSource(
                channel: EmbeddedChannel(), logger: Logger(label: "test"))
            let request = Request(
                head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
            let response: Response
            do {
                response = try await responder.respond(
                    to: request, context: StudyContext(source: source))
            } catch let error as any HTTPResponseError {
                return Reply(status: error.status.code, headers: [:], body: "")
            }
            let text = TextBody()
            try await response.body.write(text)
            return Reply(
                status: response.status.code, headers: response.headers, body: text.text,
                bytes: text.all)
        }
    }

    /// Asks for a page.
    func get(_ path: String, _ fields: HTTPFields = [:]) async throws -> Reply {
        try await send(.get, path, fields)
    }

    /// Sends a form with the hidden field of the app's own forms.
    func post(
        _ path: String, _ form: [(String, String)], _ fields: HTTPFields = [:]
    ) async throws -> Reply {
        try await send(.post, path, fields, form + [("csrf", app.secrets.form)])
    }

    /// Sends a request with the cookie and the origin of the app, unless other ones are given.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:],
        _ form: [(String, String)] = [], host: String = host
    ) async throws -> Reply {
        var headers = fields
        if headers[.cookie] == nil {
            headers[.cookie] = "underway-\(Self.port)=\(app.secrets.cookie)"
        }
        if method == .post, headers[.origin] == nil {
            headers[.origin] = Self.origin
        }
        let body = form.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }
            .joined(separator: "&")
        let reply = try await respond(
            HTTPRequest(
                method: method, scheme: "http", authority: host, path: path,
                headerFields: headers), body)
        // A value of a page that has the name of one of its frame is printed in the place of that.
        #expect(!reply.body.contains("View("), "\(path) prints a value of Swift")
        return reply
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}

/// Collects what a body writes.
private final class TextBody: ResponseBodyWriter {
    private var bytes = ByteBuffer()

    var text: String { String(buffer: bytes) }
    var all: [UInt8] { Array(buffer: bytes) }

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
