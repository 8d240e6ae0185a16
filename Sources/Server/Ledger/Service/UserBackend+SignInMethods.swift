package import Accounts
import ContentServer
import Foundation
import ServiceAPI

extension UserBackend {
    // MARK: Changing how an account is opened

    /// Sets an account's email and password, so that other devices can sign in.
    ///
    /// An account with a password requires it; an account with other sign-in methods requires a recent sign-in. All
    /// other sessions end. A previous email gets a message with a code that reverts the change for seven days
    /// (``resetPassword(email:code:newPassword:user:address:)``). A retry of an applied request, whose reply was lost,
    /// changes nothing.
    /// - Parameters:
    ///   - user: The signed-in account, whose session continues.
    ///   - email: The email.
    ///   - password: The new password.
    ///   - currentPassword: The current password, if any.
    ///   - address: The client's address, for the rate limit.
    /// - Throws: `RequestError` `invalidRequest`, `emailTaken`, `noAccount`,
    ///   `needsFreshSignIn`, `wrongCredentials`, `unauthorized` if the session ended meanwhile, `tooManyRequests`,
    ///   `busy`.
    package func upgrade(
        _ user: AuthenticatedUser, email: String, password: String,
        currentPassword: String? = nil, address: String
    ) async throws {
        try await limit(.signIns, address)
        guard let email = Email(email) else { throw RequestError.noEmail }
        guard Passwords.isAcceptable(password) else { throw RequestError.badPassword }
        do {
            try await checkFreshSignIn(user, currentPassword, address: address)
        } catch let error as RequestError
            where [.needsFreshSignIn, .wrongCredentials].contains(error.code)
        {
            guard try await opens(user, email.text, password, address: address) else { throw error }
            return
        }
        guard try await accounts.owner(of: email.text, now: clock()) ?? user.id == user.id else {
            throw RequestError.emailTaken
        }
        let hash = try await passwords.hash(password, address: address)
        let wayBack = try await tellFormerEmail(of: user.id, unless: email.text)
        try await accounts.setPassword(
            hash, email: email.text, of: user, wayBack: wayBack,
            verified: VerifiedState(user: user), now: clock())
    }

    /// Informs an account's email that the account leaves it, with a code that reverts the change.
    ///
    /// The message is sent before the change, which is refused if sending fails. The message is `nil` if no email is
    /// left, or without a mailbox.
    private func tellFormerEmail(of user: String, unless next: String?) async throws
        -> AccountMessage?
    {
        let former = try await accounts.signInMethods(of: user).first { $0.issuer == nil }?.name
        guard let mailbox, let former, former != next else { return nil }
        let message = AccountMessage(
            purpose: .changeEmail, email: former, code: EmailCode.make(),
            expiresAt: clock().addingTimeInterval(
                TimeInterval(ServiceLimits.emailWayBackSeconds)), user: user)
        let isSent = try await countingCodes(to: former, asker: user) {
            try await mailbox.deliver(message)
        }
        guard isSent else { throw RequestError.tooMany(3600) }
        return message
    }

    /// Returns true when email and password open the account; a failure counts as a guess.
    private func opens(
        _ user: AuthenticatedUser, _ email: String, _ password: String, address: String
    ) async throws -> Bool {
        guard let known = try await accounts.password(of: email), known.id == user.id else {
            return false
        }
        let isRight = try await countingFailures(address, email: "of " + user.id) {
            try await passwords.matches(password, known.hash, address: address) ? true : nil
        }
        return isRight != nil
    }

    /// Returns the sign-in methods of an account.
    ///
    /// - Parameter user: The account.
    /// - Returns: Its email first, then external identities.
    /// - Throws: `RequestError` `noAccount`.
    package func signInMethods(of user: String) async throws -> [SignInMethod] {
        try await accounts.signInMethods(of: user)
    }

    /// Removes a sign-in method of an account, and ends all other sessions.
    ///
    /// - Parameters:
    ///   - signInMethod: The sign-in method's id.
    ///   - user: The signed-in account, whose session continues.
    ///   - currentPassword: The account's password, if any.
    ///   - acceptsLast: True to remove even the last one.
    ///   - address: The client's address, for the rate limit.
    /// - Throws: `RequestError` `notFound`, `lastSignInMethod`, `needsFreshSignIn`,
    ///   `wrongCredentials`.
    package func remove(
        signInMethod: String, of user: AuthenticatedUser, currentPassword: String? = nil,
        acceptsLast: Bool, address: String
    ) async throws {
        try await checkFreshSignIn(user, currentPassword, address: address)
        let methods = try await accounts.signInMethods(of: user.id)
        let isPossible =
            methods.contains { $0.id == signInMethod } && (methods.count > 1 || acceptsLast)
        let wayBack =
            isPossible && signInMethod == SignInMethod.emailID
            ? try await tellFormerEmail(of: user.id, unless: nil) : nil
        try await accounts.remove(
            signInMethod, of: user, acceptsLast: acceptsLast, wayBack: wayBack,
            verified: VerifiedState(user: user), now: clock())
    }

    /// Demands the password, or a recent sign-in where there is none, so that a stolen device or access token is not
    /// enough to take over the account.
    func checkFreshSignIn(
        _ user: AuthenticatedUser, _ password: String?, address: String
    ) async throws {
        guard let hash = try await accounts.password(ofAccount: user.id) else {
            if try await accounts.signInMethods(of: user.id).isEmpty || user.isFresh(clock()) {
                return
            }
            throw RequestError(
                .needsFreshSignIn,
                "This needs a sign-in within the last \(ServiceLimits.freshSignInSeconds / 60) minutes."
            )
        }
        guard let password else {
            throw RequestError(
                .needsFreshSignIn, "This needs the account's present password.")
        }
        let isRight = try await countingFailures(address, email: "of " + user.id) {
            try await passwords.matches(password, hash, address: address) ? true : nil
        }
        guard isRight != nil else {
            throw RequestError(
                .wrongCredentials, "This is not the account's present password.")
        }
    }

    // MARK: Codes by e-mail

    /// Sends a code to the account's email; the code proves that the address belongs to the user.
    ///
    /// - Throws: `RequestError` `notFound` without an email or a mailbox, `tooManyRequests`,
    ///   `busy`.
    package func requestVerification(of user: String) async throws {
        let email = try await accounts.signInMethods(of: user).first { $0.issuer == nil }?.name
        guard let email, let mailbox else { throw RequestError.noMail }
        guard try await send(.verifyEmail, to: email, of: user, mailbox, asker: user) else {
            throw RequestError.tooMany(3600)
        }
    }

    /// Verifies the account's email by the code in the message.
    ///
    /// - Throws: `RequestError` `wrongCredentials`, `notFound`, `tooManyRequests`.
    package func verifyEmail(of user: String, code: String, address: String) async throws {
        let email = try await accounts.signInMethods(of: user).first { $0.issuer == nil }?.name
        guard let email else { throw RequestError.noMail }
        let isDone = try await countingFailures(address, email: email) {
            try await accounts.redeem(
                code, .verifyEmail, email: email, newPassword: nil, now: clock()) ? true : nil
        }
        guard isDone != nil else { throw RequestError.wrongCode }
    }

    /// Sends a code for a new password, if the email belongs to an account.
    ///
    /// The reply and its delay are the same for known and unknown addresses.
    /// - Throws: `RequestError` `notFound` without a mailbox, `tooManyRequests` for the
    ///   client's address.
    package func requestPasswordReset(email: String, address: String) async throws {
        guard let mailbox else { throw RequestError.noMail }
        try await limit(.signIns, "reset " + address)
        let end = ContinuousClock.now + .milliseconds(ServiceLimits.resetReplyMilliseconds)
        if let email = Email(email) {
            // An error here would reveal that the address is known.
            _ = try? await send(.resetPassword, to: email.text, of: nil, mailbox, asker: address)
        }
        try await Task.sleep(until: end, clock: .continuous)
    }

    /// Sets a new password by a code from the email, and ends all sessions.
    ///
    /// - Parameters:
    ///   - email: The email that the code was sent to.
    ///   - code: The code.
    ///   - newPassword: The new password.
    ///   - user: The account, if the code reverts a change or removal of its email, which the account then has again.
    ///   - address: The client's address, for the rate limit.
    /// - Throws: `RequestError` `wrongCredentials`, `invalidRequest`, `tooManyRequests`,
    ///   `busy`.
    package func resetPassword(
        email: String, code: String, newPassword: String, user: String? = nil, address: String
    ) async throws {
        guard Passwords.isAcceptable(newPassword) else { throw RequestError.badPassword }
        // No account has such an id, and PostgreSQL stores no such text.
        guard user?.utf8.contains(0) != true else { throw RequestError.wrongCode }
        let email = Email(email)?.text ?? ""
        let isDone = try await countingFailures(address, email: email) { () -> Bool? in
            let known = try await accounts.account(
                ofCode: code, .resetPassword, email: email, user: user, now: clock())
            guard known != nil else { return nil }
            let hash = try await passwords.hash(newPassword, address: address)
            return try await accounts.redeem(
                code, .resetPassword, email: email, user: user, newPassword: hash, now: clock())
                ? true : nil
        }
        guard isDone != nil else { throw RequestError.wrongCode }
    }

    // Earlier codes stay valid, so that a stranger's request invalidates nothing. Returns false at
    // the limit for the email, or for the account or address that requests the code.
    private func send(
        _ purpose: AccountMessage.Purpose, to email: String, of user: String?,
        _ mailbox: any MailSender, asker: String
    ) async throws -> Bool {
        let now = clock()
        let message = AccountMessage(
            purpose: purpose, email: email, code: EmailCode.make(),
            expiresAt: now.addingTimeInterval(TimeInterval(ServiceLimits.emailCodeSeconds)))
        return try await countingCodes(to: email, asker: asker) {
            if try await accounts.store(message, of: user, now: now) {
                try await mailbox.deliver(message)
            }
        }
    }

    /// Sends a code, unless too many were sent to the email, or for who asks; one that was not sent does not count.
    ///
    /// - Returns: False at a limit.
    private func countingCodes(
        to email: String, asker: String, _ send: () async throws -> Void
    ) async throws -> Bool {
        let own = email + " " + asker
        let time = clock().millisecondsSince1970
        guard await rateLimits.begin(.codesByAsker, of: own, now: time) == nil else {
            return false
        }
        guard await rateLimits.begin(.codesByEmail, of: email, now: time) == nil else {
            await rateLimits.withdraw(.codesByAsker, of: own)
            return false
        }
        do {
            try await send()
        } catch {
            await rateLimits.withdraw(.codesByAsker, of: own)
            await rateLimits.withdraw(.codesByEmail, of: email)
            throw error
        }
        return true
    }
}
