import Accounts
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import PageRendering
import Workflows

/// A request for a page of the desk, with what all pages need.
struct DeskRequest: Sendable {
    let request: Request
    let context: ServerContext
    let app: DeskApp
    /// The signed-in user; `nil` for none, on public pages.
    var user: DeskUser?
    /// The form that was sent; its secret was compared.
    var form: FormFields
    /// The client's network, by which failed attempts are counted.
    let address: String

    /// Returns a part of the path by the name of its place.
    ///
    /// - Throws: `HTTPError` 404 without one.
    func part(_ name: String) throws -> String {
        guard let part = context.parameters.get(name)?.removingPercentEncoding else {
            throw HTTPError(.notFound)
        }
        return part
    }

    /// Returns a number in the path by the name of its place.
    ///
    /// - Throws: `HTTPError` 404 without one.
    func number(_ name: String) throws -> Int64 {
        guard let number = Int64(try part(name)), number > 0 else { throw HTTPError(.notFound) }
        return number
    }

    /// Returns a value of the query; `nil` without one, and for an empty one.
    func query(_ name: String) -> String? {
        FormFields(queryOf: request)[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns who is signed in.
    ///
    /// - Throws: `HTTPError` 401 for nobody: only routes for anybody come here so.
    func signedIn() throws -> DeskUser {
        guard let user else { throw HTTPError(.unauthorized) }
        return user
    }

    /// Runs a workflow for who is signed in, and shows on the session's next page what it did.
    func run(_ workflow: some Workflow) async throws {
        let user = try signedIn()
        let outcome = try await workflow.run(in: app.workplace, by: user.actor)
        app.toasts.show(outcome.sentence, to: user)
    }

    /// The wall clock, in milliseconds since 1970.
    var now: Int64 { app.users.clock().millisecondsSince1970 }
}

extension DeskAccessRequest {
    init(_ request: Request) {
        method = request.method
        host = request.head.authority
        origin = request.headers[.origin]
        fetchSite = request.headers[.fetchSite]
    }
}
