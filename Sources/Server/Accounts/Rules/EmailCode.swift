import Crypto
import Foundation
import ServiceAPI

/// Codes that users copy from an email: 50 bits in an alphabet without look-alikes.
package enum EmailCode {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 10

    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            (0..<length).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
    }

    /// Returns the hash of a code as typed.
    static func hash(_ code: String) -> Data {
        let plain = code.uppercased().filter { $0 != " " && $0 != "-" }
        return Data(SHA256.hash(data: Data(plain.utf8)))
    }
}

extension AccountRules {
    /// Stores the hash of a new code beside earlier ones.
    ///
    /// - Parameters:
    ///   - message: The code and its address.
    ///   - id: The account; `nil` for that of the email.
    ///   - snapshot: The account of the email.
    /// - Returns: True when the address belongs to such an account.
    func store(
        _ message: AccountMessage, of id: String?, over snapshot: AccountSnapshot
    ) -> AccountOutcome<Bool> {
        guard let account = snapshot.account, id ?? account.id == account.id else {
            return AccountOutcome(reply: false)
        }
        let key = AccountReadSet.Code(hash: EmailCode.hash(message.code), purpose: message.purpose)
        let code = StoredCode(
            email: message.email, expiresAt: message.expiresAt.secondsSince1970)
        return AccountOutcome([.signIn(.addCode(key, code, to: account.id))], reply: true)
    }

    /// Returns the keys of a code.
    ///
    /// A user is named where the code takes a changed email back; else the account of the email is meant.
    func keys(
        ofCode code: String, _ purpose: AccountMessage.Purpose, email: String, user: String?
    ) -> AccountReadSet {
        var keys = AccountReadSet(user.map { .id($0) } ?? .email(email))
        keys.readsSignInMethods = true
        keys.email = email
        keys.code = AccountReadSet.Code(hash: EmailCode.hash(code), purpose: purpose)
        return keys
    }

    /// Returns the account of a valid code for an address; `nil` for one that is wrong or has expired.
    func account(
        ofCodeFor email: String, _ purpose: AccountMessage.Purpose, in snapshot: AccountSnapshot
    ) -> StoredAccount? {
        guard let account = snapshot.account, let code = snapshot.code, code.email == email,
            code.expiresAt > now.secondsSince1970,
            purpose != .resetPassword || !isOfSomebodyElse(email, snapshot)
        else { return nil }
        return account
    }

    /// Returns true for the unverified email of an account while a way back leads to the previous email.
    ///
    /// The owner of the email may be a stranger, from whom the way back would take the account with that person's data.
    private func isOfSomebodyElse(_ email: String, _ snapshot: AccountSnapshot) -> Bool {
        guard let password = snapshot.password, password.email == email,
            password.verifiedAt == nil
        else { return false }
        return snapshot.code?.wayBackEndsAt.map { $0 > now.secondsSince1970 } ?? false
    }

    /// Redeems a code: the account has the email, verified; with a new password all sessions end.
    ///
    /// A way back that is older stays: who took an account over cannot end it.
    /// - Returns: False when the code is wrong, has expired, or was redeemed before.
    func redeem(
        _ email: String, newPassword: Passwords.Hash?, over snapshot: AccountSnapshot
    ) -> AccountOutcome<Bool> {
        let purpose: AccountMessage.Purpose = newPassword == nil ? .verifyEmail : .resetPassword
        guard let account = account(ofCodeFor: email, purpose, in: snapshot),
            let code = snapshot.code,
            snapshot.emailOwner(at: now) ?? account.id == account.id,
            let hash = newPassword ?? snapshot.password?.hash
        else { return AccountOutcome(reply: false) }
        let password = StoredPassword(
            email: email, hash: hash, verifiedAt: now.secondsSince1970)
        let ending = newPassword == nil ? [] : endSessions(of: account, except: nil)
        let isWayBack = waysBack.contains(code.expiresAt)
        let kept = isWayBack ? waysBack.lowerBound..<code.expiresAt : waysBack
        return AccountOutcome(
            [
                .signIn(.removeCodes(of: account.id, exceptFor: nil, expiringIn: kept)),
                .signIn(.setPassword(password, of: account.id)),
            ] + ending, reply: true)
    }

    /// The ends of ways back, in seconds since 1970: other codes end earlier.
    var waysBack: Range<Int64> {
        now.secondsSince1970 + Int64(ServiceLimits.emailCodeSeconds) + 1..<Int64.max
    }

    /// Returns the change that stores the way back to an email which an account leaves.
    ///
    /// It is a code for a new password, of an address that is not the account's any more.
    func wayBack(_ message: AccountMessage?, to account: StoredAccount) -> [AccountChange] {
        guard let message else { return [] }
        let code = StoredCode(
            email: message.email, expiresAt: message.expiresAt.secondsSince1970)
        return [
            .signIn(
                .addCode(
                    AccountReadSet.Code(
                        hash: EmailCode.hash(message.code), purpose: .resetPassword),
                    code, to: account.id))
        ]
    }
}
