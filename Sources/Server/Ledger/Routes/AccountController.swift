import Accounts
import ContentModel
import ContentServer
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceAPI

/// The controller of accounts: creation, sign-in, deletion.
struct AccountController {
    let users: UserBackend
    let caller: RequestAuthenticator
    private let exports = ExportPlaces()

    func addRoutes(to router: Router<ServerContext>) {
        let prefix = UserDataRoutes.accounts + "/"
        router.add(prefix + "anonymous", [.post: makeAnonymous])
        router.add(prefix + "upgrade", [.post: upgrade])
        router.add(prefix + "sign-in", [.post: signIn])
        router.add(prefix + "external", [.post: signInExternally])
        router.add(prefix + "refresh", [.post: refresh])
        router.add(prefix + "revoke", [.post: revoke])
        router.add(prefix + "revoke-all", [.post: revokeAll])
        router.add(prefix + "export", [.get: export])
        router.add(prefix + "ways", [.get: signInMethods])
        router.add(prefix + "ways/remove", [.post: removeSignInMethod])
        router.add(prefix + "email/request-verification", [.post: requestVerification])
        router.add(prefix + "email/verify", [.post: verifyEmail])
        router.add(prefix + "password/request-reset", [.post: requestReset])
        router.add(prefix + "password/reset", [.post: resetPassword])
        router.add(UserDataRoutes.move, [.post: move])
        router.add(prefix + "account", [.delete: delete])
    }

    @Sendable private func makeAnonymous(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let tokens = try await users.makeAnonymousAccount(
            address: caller.address(request, context))
        return RequestAuthenticator.response(tokens.json, request, status: .created)
    }

    @Sendable private func upgrade(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.authenticatedUser(request)
        let body = try AccountBody(try await caller.body(request))
        try await users.upgrade(
            user, email: try body.text("email"), password: try body.text("password"),
            currentPassword: try body.optionalText("current_password"),
            address: caller.address(request, context))
        return Response(status: .noContent)
    }

    @Sendable private func signIn(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let body = try AccountBody(try await caller.body(request))
        let tokens = try await users.signIn(
            email: try body.text("email"), password: try body.text("password"),
            address: caller.address(request, context))
        return RequestAuthenticator.response(tokens.json, request)
    }

    @Sendable private func signInExternally(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user =
            request.headers[.authorization] == nil
            ? nil : try await caller.authenticatedUser(request)
        let body = try AccountBody(try await caller.body(request))
        let tokens = try await users.signIn(
            externalToken: try body.text("token"), user: user,
            currentPassword: try body.optionalText("current_password"),
            address: caller.address(request, context))
        return RequestAuthenticator.response(tokens.json, request)
    }

    @Sendable private func refresh(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let body = try AccountBody(try await caller.body(request))
        let tokens = try await users.refresh(
            try body.text("refresh_token"), address: caller.address(request, context))
        return RequestAuthenticator.response(tokens.json, request)
    }

    @Sendable private func revoke(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let body = try AccountBody(try await caller.body(request))
        try await users.revoke(try body.text("refresh_token"))
        return Response(status: .noContent)
    }

    @Sendable private func revokeAll(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        try await users.revokeAll(of: try await caller.user(request))
        return Response(status: .noContent)
    }

    @Sendable private func delete(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        do {
            try await users.delete(try await caller.user(request))
        } catch let error as RequestError where error.code == .noAccount {
            // The reply to the first request was lost; the deletion is complete.
        }
        return Response(status: .noContent)
    }

    @Sendable private func move(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        let body = try MoveBody.Request(try await caller.body(request))
        let reply = try await users.move(
            body, into: user, address: caller.address(request, context))
        var response = RequestAuthenticator.response(reply.json, request)
        if case .moving = reply {
            response.headers[.retryAfter] = String(ServiceLimits.moveRetrySeconds)
        }
        return response
    }

    // MARK: Ways in

    @Sendable private func signInMethods(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let signInMethods = try await users.signInMethods(of: try await caller.user(request))
        return RequestAuthenticator.response(["ways": .array(signInMethods.map(\.json))], request)
    }

    @Sendable private func removeSignInMethod(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.authenticatedUser(request)
        let body = try AccountBody(try await caller.body(request))
        try await users.remove(
            signInMethod: try body.text("way"), of: user,
            currentPassword: try body.optionalText("current_password"),
            acceptsLast: try body.flag("accept_last"), address: caller.address(request, context))
        return Response(status: .noContent)
    }

    // MARK: Codes by e-mail

    @Sendable private func requestVerification(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        try await users.requestVerification(of: try await caller.user(request))
        return Response(status: .accepted)
    }

    @Sendable private func verifyEmail(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        let body = try AccountBody(try await caller.body(request))
        try await users.verifyEmail(
            of: user, code: try body.text("code"), address: caller.address(request, context))
        return Response(status: .noContent)
    }

    @Sendable private func requestReset(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let body = try AccountBody(try await caller.body(request))
        try await users.requestPasswordReset(
            email: try body.text("email"), address: caller.address(request, context))
        return Response(status: .accepted)
    }

    @Sendable private func resetPassword(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let body = try AccountBody(try await caller.body(request))
        try await users.resetPassword(
            email: try body.text("email"), code: try body.text("code"),
            newPassword: try body.text("password"), user: try body.optionalText("user"),
            address: caller.address(request, context))
        return Response(status: .noContent)
    }

    /// Streams `{"account":{…},"answers":[…]}` in pieces.
    @Sendable private func export(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.authenticatedUser(request, .export)
        let address = caller.address(request, context)
        let place = try exports.enter(address)
        try await users.chargeExport(of: user.id, address: address)
        var pieces = users.export(for: user)
        // A missing account must fail before the first byte.
        let first = try await pieces.next() ?? []
        let rest = pieces
        return Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(place) {} }
                var rest = rest
                // A write waits until the client has read, and fails once the client has left.
                try await writer.write(ByteBuffer(bytes: first))
                while let piece = try await rest.next() {
                    try await writer.write(ByteBuffer(bytes: piece))
                }
                try await writer.finish(nil)
            })
    }
}

extension SessionTokens {
    /// The body, with the names of OAuth (RFC 6749, section 5.1).
    fileprivate var json: JSONValue {
        .compact([
            "user": .string(user), "access_token": .string(accessToken),
            "refresh_token": .string(refreshToken), "token_type": "Bearer",
            "expires_in": .integer(ServiceLimits.accessTokenSeconds),
            "copied": isCopied ? true : nil,
        ])
    }
}

extension SignInMethod {
    fileprivate var json: JSONValue {
        .compact([
            "id": .string(id), "name": .string(name), "issuer": issuer.map { .string($0) },
            "verified": .bool(isVerified),
        ])
    }
}
