import ContentModel
import Foundation
import ServiceAPI
import SyncClient
import UserData

/// The state of a sync server, and its replies to requests.
struct SyncServerState {
    /// The collections by name.
    var rules: [String: CollectionRules]
    var accounts = SyncAccounts()
    /// The problem with which every sign-in is rejected; `nil` to accept them.
    var signInRefusal: ProblemCode?
}

extension SyncServerState {
    /// Replies to a request; `nil` for an address that does not exist on the server.
    mutating func reply(
        to request: TransportRequest, _ path: String
    ) throws(SyncProblem) -> TestReply? {
        if path == UserDataRoutes.exchange { return try exchange(request) }
        let prefix = UserDataRoutes.accounts + "/"
        guard path.hasPrefix(prefix) else { return TestSyncServer.notInKit(path) }
        let name = String(path.dropFirst(prefix.count))
        let route = "\(request.method) \(name)"
        if let reply = try sessionReply(route, request) { return reply }
        if let reply = TestSyncServer.notInKit(path) { return reply }
        do {
            return try accountReply(
                route, request, try accounts.caller(request.headers["Authorization"]))
        } catch  where error.code == .noAccount && route == "DELETE account" {
            // The reply to the first request was lost; the deletion is complete.
            return TestReply(204)
        }
    }

    // MARK: Exchange

    private mutating func exchange(_ request: TransportRequest) throws(SyncProblem) -> TestReply {
        let user = try accounts.caller(request.headers["Authorization"]).user
        let body = try request.unpackedBody()
        let call: ExchangeCall
        do {
            call = try ExchangeCall(body)
        } catch {
            throw SyncProblem(.invalidRequest, "\(error)")
        }
        guard call.request.user == user else {
            throw SyncProblem(.wrongUser, "The token is another user's.")
        }
        let mark = accounts.unused("mark")
        guard let reply = accounts[user]?.data.exchange(call, rules: rules, mark: mark) else {
            throw .noAccount
        }
        return .json(reply.json)
    }

    // MARK: Sessions

    /// Replies to requests that need no account; `nil` for all others.
    private mutating func sessionReply(
        _ route: String, _ request: TransportRequest
    ) throws(SyncProblem) -> TestReply? {
        switch route {
        case "POST anonymous":
            try checkSignIn()
            return .tokens(
                accounts.open(accounts.makeAccount(), isAuthenticated: false), status: 201)
        case "POST sign-in":
            try checkSignIn()
            let body = try request.accountBody()
            return .tokens(
                try accounts.signIn(
                    email: try body.required("email"), password: try body.required("password")))
        case "POST external":
            try checkSignIn()
            let authorization = request.headers["Authorization"]
            let caller = authorization == nil ? nil : try accounts.caller(authorization)
            let body = try request.accountBody()
            return .tokens(
                try accounts.signIn(
                    externalToken: try body.required("token"), caller: caller,
                    password: body.currentPassword))
        case "POST refresh":
            let token = try request.accountBody().required("refresh_token")
            return .tokens(try accounts.refresh(token))
        case "POST revoke":
            accounts.endSession(
                ofRefreshToken: try request.accountBody().required("refresh_token"))
            return TestReply(204)
        default: return nil
        }
    }

    private func checkSignIn() throws(SyncProblem) {
        if let signInRefusal {
            throw SyncProblem(signInRefusal, "The test refuses every sign-in.")
        }
    }

    // MARK: The account

    private mutating func accountReply(
        _ route: String, _ request: TransportRequest, _ caller: SyncAccounts.Caller
    ) throws(SyncProblem) -> TestReply {
        let user = caller.user
        switch route {
        case "POST upgrade":
            try upgrade(try request.accountBody(), caller)
            return TestReply(204)
        case "GET ways": return .json(["ways": .array(ways(into: user))])
        case "POST ways/remove":
            try removeSignInMethod(try request.accountBody(), caller)
            return TestReply(204)
        case "POST revoke-all":
            accounts.endSessions(of: user)
            return TestReply(204)
        case "GET devices": return .json(["devices": .array(devices(of: user))])
        case "GET export": return .json(export(of: user))
        case "POST move":
            let body: MoveBody.Request
            do {
                body = try MoveBody.Request(request.body ?? [])
            } catch {
                throw SyncProblem(.invalidRequest, "\(error)")
            }
            return .json(try accounts.move(body, into: caller, rules: rules).json)
        case "DELETE account":
            accounts.delete(user)
            return TestReply(204)
        default:
            let prefix = "DELETE devices/"
            guard route.hasPrefix(prefix) else {
                throw SyncProblem(.notFound, "The test server has no such address.")
            }
            try forgetDevice(ClientID(String(route.dropFirst(prefix.count))), of: user)
            return TestReply(204)
        }
    }

    /// Sets the account's email and password.
    ///
    /// A repeated request that was already applied, because its reply was lost, has no effect.
    private mutating func upgrade(
        _ body: AccountBody, _ caller: SyncAccounts.Caller
    ) throws(SyncProblem) {
        let (email, password) = (try body.required("email"), try body.required("password"))
        try SyncAccounts.check(email: email, password: password)
        do throws(SyncProblem) {
            try accounts.checkFreshness(of: caller, password: body.currentPassword)
        } catch {
            let account = accounts[caller.user]
            guard [.needsFreshSignIn, .wrongCredentials].contains(error.code),
                account?.email == email.lowercased(),
                account?.password == password
            else { throw error }
            return
        }
        try accounts.setPassword(
            caller.user, email: email, password: password, keeping: caller)
    }

    private func ways(into user: String) -> [JSONValue] {
        guard let account = accounts[user] else { return [] }
        let email = account.email.map { email -> [JSONValue] in
            [["id": "email", "name": .string(email), "verified": false]]
        }
        return (email ?? [])
            + account.identities.sorted().map { name in
                [
                    "id": .string("test:\(name)"), "name": .string(name), "issuer": "test",
                    "verified": true,
                ]
            }
    }

    private mutating func removeSignInMethod(
        _ body: AccountBody, _ caller: SyncAccounts.Caller
    ) throws(SyncProblem) {
        try accounts.checkFreshness(of: caller, password: body.currentPassword)
        guard var account = accounts[caller.user] else { throw .noAccount }
        let way = try body.required("way")
        if way == "email", account.email != nil {
            (account.email, account.password) = (nil, nil)
        } else if account.identities.remove(String(way.dropFirst("test:".count))) == nil {
            throw SyncProblem(.notFound, "The account has no such way in.")
        }
        guard account.hasSignInMethod || (try? body.flag("accept_last")) == true else {
            throw SyncProblem(.lastSignInMethod, "It is the last way into the account.")
        }
        accounts[caller.user] = account
        accounts.endSessions(of: caller.user, except: caller)
    }

    private func devices(of user: String) -> [JSONValue] {
        (accounts[user]?.data.devices ?? [:])
            .filter { !$0.value.isRetired && !BranchName.isBranch($0.key.text) }
            .sorted { $0.key < $1.key }
            .map { client, device in
                [
                    "id": .string(client.text), "lastSeen": 0,
                    "answers": .integer(device.answers.count), "unreadResults": 0,
                ]
            }
    }

    private mutating func forgetDevice(_ client: ClientID, of user: String) throws(SyncProblem) {
        guard accounts[user]?.data.devices[client]?.isRetired == false else {
            throw SyncProblem(.notFound, "The account has no such device.")
        }
        accounts[user]?.data.devices[client]?.isRetired = true
    }

    private func export(of user: String) -> JSONValue {
        let records = accounts[user]?.data.records ?? [:]
        return [
            "account": ["user": .string(user)],
            "records": .array(
                records.sorted { $0.key < $1.key }.map { key, record in
                    [
                        "collection": .string(key.collection), "id": .string(key.id),
                        "fields": FieldWire.json(record.values),
                    ]
                }),
        ]
    }
}

// MARK: Bodies

extension TestReply {
    fileprivate static func json(_ json: JSONValue) -> TestReply {
        .bytes(json.canonicalBytes, type: "application/json")
    }

    fileprivate static func tokens(_ tokens: AccountBody.Tokens, status: Int = 200) -> TestReply {
        var reply = json(
            .compact([
                "user": .string(tokens.user), "access_token": .string(tokens.accessToken),
                "refresh_token": .string(tokens.refreshToken), "token_type": "Bearer",
                "expires_in": .integer(ServiceLimits.accessTokenSeconds),
                "copied": tokens.isCopied ? true : nil,
            ]))
        reply.status = status
        return reply
    }
}

extension TransportRequest {
    /// The body without its encoding.
    fileprivate func unpackedBody() throws(SyncProblem) -> [UInt8] {
        let body = body ?? []
        guard headers["Content-Encoding"] == "gzip" else { return body }
        do {
            return try Gzip.unpacked(body, bytesMax: ServiceLimits.unpackedBodyBytesMax)
        } catch {
            throw SyncProblem(.invalidRequest, "The body is not gzip, or too long.")
        }
    }

    fileprivate func accountBody() throws(SyncProblem) -> AccountBody {
        do {
            return try AccountBody(body ?? [])
        } catch {
            throw SyncProblem(.invalidRequest, "\(error)")
        }
    }
}

extension AccountBody {
    /// The present password, if any was sent.
    fileprivate var currentPassword: String? {
        (try? optionalText("current_password")) ?? nil
    }

    fileprivate func required(_ key: String) throws(SyncProblem) -> String {
        do {
            return try text(key)
        } catch {
            throw SyncProblem(.invalidRequest, "\(error)")
        }
    }
}
