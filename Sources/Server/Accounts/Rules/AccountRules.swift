import ContentServer
import Foundation
import ServiceAPI

/// The rules of accounts and of the methods that open them.
///
/// Pure: time is a member, and a storage carries the changes out.
struct AccountRules: Sendable {
    /// The wall clock.
    let now: Date

    private var seconds: Int64 { now.secondsSince1970 }

    // MARK: Accounts

    /// Makes an account invisible to all requests, with every account that moved into it; upkeep removes their rows.
    ///
    /// - Throws: `RequestError` `moving`, `movedAccount`.
    func delete(over snapshot: AccountSnapshot) throws -> AccountOutcome<Void> {
        guard let account = snapshot.account else {
            // Another device began to move it meanwhile.
            if let move = snapshot.move { throw RequestError.closed(by: move) }
            return AccountOutcome(reply: ())
        }
        let revocations = ([account.id] + snapshot.movedInto).map {
            AccountChange.revoke(.account($0, at: now.millisecondsSince1970))
        }
        return AccountOutcome(revocations + [.markDeleted(account.id, at: seconds)], reply: ())
    }

    /// Ends all sessions of an account but one, and invalidates its access tokens.
    func endSessions(of account: StoredAccount, except kept: String?) -> [AccountChange] {
        let (generation, kept) = (account.tokenGeneration + 1, kept ?? "")
        return [
            .revoke(
                .sessions(
                    of: account.id, kept: kept, tokenGeneration: generation,
                    at: now.millisecondsSince1970)),
            .session(.removeAll(of: account.id, except: kept, expiringBy: nil)),
            .raiseTokenGeneration(of: account.id, to: generation),
        ]
    }

    /// Ends the sessions of copies of a device when the account gets its first sign-in method; the session that goes on
    /// needs no new access token.
    private func endOthers(of account: StoredAccount, except kept: String?) -> [AccountChange] {
        [
            .revoke(
                .sessions(
                    of: account.id, kept: kept ?? "", tokenGeneration: account.tokenGeneration,
                    at: now.millisecondsSince1970)),
            .session(.removeAll(of: account.id, except: kept ?? "", expiringBy: nil)),
        ]
    }

    /// Returns whether upkeep removes an account: nothing opens it but its devices, and none has for
    /// long.
    func isRemoved(_ account: AccountUse) -> Bool {
        guard !account.hasSignInMethods else { return false }
        let days =
            account.hasData
            ? ServiceLimits.unusedAccountWithDataDays : ServiceLimits.unusedAccountDays
        return account.place.usedAt < seconds - Int64(days) * 86_400
    }

    // MARK: Sign-in methods

    /// Sets email and password; if the account had sign-in methods, all other sessions end.
    ///
    /// A way back is the message to the previous email, if another one is set and the message can be sent.
    /// - Throws: `RequestError` `emailTaken`, `noAccount`; `busy` if the email was changed since (retry).
    func setPassword(
        _ hash: Passwords.Hash, email: String, keeping session: String,
        wayBack: AccountMessage? = nil, over snapshot: AccountSnapshot
    ) throws -> AccountOutcome<Void> {
        let account = try snapshot.requiredAccount
        try check(wayBack, leads: snapshot)
        guard snapshot.emailOwner(at: now) ?? account.id == account.id else {
            throw RequestError.emailTaken
        }
        let known = snapshot.password
        let password = StoredPassword(
            email: email, hash: hash, verifiedAt: known?.email == email ? known?.verifiedAt : nil)
        let ending =
            snapshot.signInMethods.isEmpty
            ? endOthers(of: account, except: session) : endSessions(of: account, except: session)
        // A code that was sent to the former address becomes invalid, but for the ways back.
        return AccountOutcome(
            [
                .signIn(.setPassword(password, of: account.id)),
                .signIn(.removeCodes(of: account.id, exceptFor: email, expiringIn: waysBack)),
            ] + self.wayBack(wayBack, to: account) + ending, reply: ())
    }

    /// Refuses a way back to another email than the account has.
    private func check(_ wayBack: AccountMessage?, leads snapshot: AccountSnapshot) throws {
        guard let wayBack, wayBack.email != snapshot.password?.email else { return }
        throw RequestError(
            .busy, "The email of the account was changed meanwhile. Try again.")
    }

    /// Links an external identity to an account, unless it belongs to one already.
    ///
    /// - Returns: The id of the account that the identity belongs to now.
    /// - Throws: `RequestError` `noAccount`, `refused`.
    func link(
        _ identity: ExternalIdentity, keeping session: String?, over snapshot: AccountSnapshot
    ) throws -> AccountOutcome<String> {
        if let owner = snapshot.identityOwner { return AccountOutcome(reply: owner) }
        let account = try snapshot.requiredAccount
        let methods = snapshot.signInMethods
        guard methods.count <= ServiceLimits.identitiesPerUserMax else {
            throw RequestError(
                .refused, "The account has too many sign-in methods. Remove one.")
        }
        let ending =
            methods.isEmpty
            ? endOthers(of: account, except: session) : endSessions(of: account, except: session)
        return AccountOutcome(
            [.signIn(.link(identity, to: account.id))] + ending, reply: account.id)
    }

    /// Removes a sign-in method and ends all other sessions.
    ///
    /// A way back is the message to the email, if it is removed and the message can be sent.
    /// - Throws: `RequestError` `notFound`, `lastSignInMethod`, `noAccount`; `busy` if the email was changed since
    ///   (retry).
    func remove(
        _ id: String, acceptsLast: Bool, keeping session: String, wayBack: AccountMessage? = nil,
        over snapshot: AccountSnapshot
    ) throws -> AccountOutcome<Void> {
        let account = try snapshot.requiredAccount
        try check(wayBack, leads: snapshot)
        let methods = snapshot.signInMethods
        guard let found = methods.first(where: { $0.id == id }) else {
            throw RequestError(.notFound, "The account has no such sign-in method.")
        }
        guard methods.count > 1 || acceptsLast else {
            throw RequestError(
                .lastSignInMethod,
                "This is the last sign-in method of the account. Without it only devices that"
                    + " are signed in now can use it.")
        }
        let removal: [SignInChange] =
            if let issuer = found.issuer {
                [.unlink(ExternalIdentity(issuer: issuer, subject: found.name), from: account.id)]
            } else {
                [
                    .removePassword(of: account.id),
                    .removeCodes(of: account.id, exceptFor: nil, expiringIn: waysBack),
                ]
            }
        return AccountOutcome(
            removal.map { .signIn($0) } + self.wayBack(wayBack, to: account)
                + endSessions(of: account, except: session), reply: ())
    }
}

extension AccountSnapshot {
    /// The account.
    ///
    /// - Throws: `RequestError` `noAccount`.
    var requiredAccount: StoredAccount {
        get throws {
            guard let account else {
                throw move.map(RequestError.closed) ?? RequestError.accountIsDeleted
            }
            return account
        }
    }

    /// The sign-in methods of the account: its email first, then external identities.
    var signInMethods: [SignInMethod] {
        let email = password.map {
            SignInMethod(
                id: SignInMethod.emailID, name: $0.email, issuer: nil,
                isVerified: $0.verifiedAt != nil)
        }
        return (email.map { [$0] } ?? [])
            + identities.sorted().map {
                SignInMethod(
                    id: SignInMethod.id(issuer: $0.issuer, subject: $0.subject), name: $0.subject,
                    issuer: $0.issuer, isVerified: true)
            }
    }
}

extension Date {
    package var millisecondsSince1970: Int64 {
        Int64((timeIntervalSince1970 * 1000).rounded(.down))
    }
    var secondsSince1970: Int64 { Int64(timeIntervalSince1970) }
}
