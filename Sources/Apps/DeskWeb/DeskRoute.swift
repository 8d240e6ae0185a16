import HTTPTypes
import Hummingbird

/// A route of the desk: its method, its path below `/desk`, who may take it, and what it does.
struct DeskRoute: Sendable {
    let method: HTTPRequest.Method
    /// The path as the router reads it, as `/proposals/:number`; empty for the desk itself.
    let path: String
    let access: DeskAccess
    /// The most bytes of the form.
    let formBytesMax: Int
    let handler: @Sendable (DeskRequest) async throws -> Response

    /// The most bytes of a form, unless a route says otherwise.
    static let formBytesMax = 256 * 1024

    /// Returns the route of a page.
    static func get(
        _ path: String, _ access: DeskAccess,
        _ handler: @escaping @Sendable (DeskRequest) async throws -> Response
    ) -> DeskRoute {
        DeskRoute(
            method: .get, path: path, access: access, formBytesMax: 0, handler: handler)
    }

    /// Returns the route of a form.
    static func post(
        _ path: String, _ access: DeskAccess, formBytesMax: Int = formBytesMax,
        _ handler: @escaping @Sendable (DeskRequest) async throws -> Response
    ) -> DeskRoute {
        DeskRoute(
            method: .post, path: path, access: access, formBytesMax: formBytesMax,
            handler: handler)
    }
}
