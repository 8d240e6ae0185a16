import Accounts
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import ServiceAPI
import UserData

/// The controller of single records as plain resources: `ETag` is the revision, `If-Match` names
/// the replaced revision.
struct CollectionController {
    let users: UserBackend
    let caller: RequestAuthenticator

    private static let pageMax = 500

    func addRoutes(to router: Router<ServerContext>) {
        let path = UserDataRoutes.collections + "/:collection"
        router.add(path, [.get: list])
        router.add(path + "/:id", [.get: read, .put: put, .delete: delete])
        router.add(UserDataRoutes.progress, [.get: progress])
    }

    private func key(_ context: ServerContext) throws -> RecordKey {
        let collection = context.parameters.get("collection") ?? ""
        let id = context.parameters.get("id")?.removingPercentEncoding ?? ""
        guard Validity.isName(collection), Validity.isID(id) else {
            throw RequestError(.notFound, "There is no such record.")
        }
        return RecordKey(collection, id)
    }

    @Sendable private func list(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        let limit = request.uri.queryParameters["limit"].map { Int($0) } ?? 100
        guard let limit, (1...Self.pageMax).contains(limit) else {
            throw WireError("limit", "must be from 1 to \(Self.pageMax)")
        }
        let after = request.uri.queryParameters["after"].map(String.init) ?? ""
        guard after.isEmpty || Validity.isID(after) else {
            throw WireError("after", "must be the id of a record")
        }
        let page = try await users.records(
            of: user, in: context.parameters.get("collection") ?? "", after: after,
            limit: limit)
        return RequestAuthenticator.response(
            .compact([
                "records": .array(page.records.map(RecordBody.json)),
                "next": page.hasMore ? page.records.last.map { .string($0.key.id) } : nil,
            ]), request)
    }

    @Sendable private func progress(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .progress)
        return RequestAuthenticator.response(try await users.progress(of: user), request)
    }

    @Sendable private func read(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        guard let record = try await users.record(try key(context), of: user) else {
            throw RequestError(.notFound, "There is no such record.")
        }
        return Self.response(record, request)
    }

    @Sendable private func put(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        let key = try key(context)
        let fields = try await caller.read(request, context) { try RecordBody.fields($0) }
        return try Self.response(
            await users.write(key, fields, over: try Self.revision(request), of: user), request)
    }

    @Sendable private func delete(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        let key = try key(context)
        let outcome = try await users.write(
            key, nil, over: try Self.revision(request), of: user)
        if case .written = outcome { return Response(status: .noContent) }
        return try Self.response(outcome, request)
    }

    /// Returns the revision of `If-Match`.
    private static func revision(_ request: Request) throws -> UInt64? {
        guard let field = request.headers[.ifMatch], !field.isEmpty else { return nil }
        guard field.hasPrefix("\""), field.hasSuffix("\""), field.count > 2,
            let revision = UInt64(field.dropFirst().dropLast()), revision <= 1 << 53
        else { throw WireError("If-Match", "must be the ETag of the record, as \"17\"") }
        return revision
    }

    private static func response(
        _ outcome: UserBackend.WriteOutcome, _ request: Request
    ) throws -> Response {
        switch outcome {
        case .written(let record, let isNew):
            return response(record, request, status: isNew ? .created : .ok)
        case .stale(let record):
            guard let record else {
                throw RequestError(.notFound, "There is no such record.")
            }
            return conflict(record, .conflict, "The record is not as If-Match says.")
        case .needsRevision(let record):
            return conflict(
                record, .needsRevision, "There is such a record; say what is replaced (If-Match).")
        }
    }

    private static func conflict(
        _ record: UserRecord, _ code: ProblemCode, _ detail: String
    ) -> Response {
        var response = ProblemDocument.response(
            code, detail, ["current": RecordBody.json(record)])
        response.headers[.eTag] = "\"\(record.revision)\""
        return response
    }

    private static func response(
        _ record: UserRecord, _ request: Request, status: HTTPResponse.Status = .ok
    ) -> Response {
        RequestAuthenticator.response(
            RecordBody.json(record), request, status: status,
            headers: [.eTag: "\"\(record.revision)\""])
    }
}
