import Crypto
import Foundation
import ServiceAPI

/// Codes that people copy from an e-mail: 50 bits in an alphabet without look-alikes.
enum EmailCode {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 10

    static func make() -> String {
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
        let key = AccountKeys.Code(hash: EmailCode.hash(message.code), purpose: message.purpose)
        let code = StoredCode(
            email: message.email, expiresAt: message.expiresAt.secondsSince1970)
        return AccountOutcome([.signIn(.addCode(key, code, to: account.id))], reply: true)
    }

    /// Returns the keys of a code.
    func keys(ofCode code: String, _ purpose: AccountMessage.Purpose, email: String) -> AccountKeys
    {
        var keys = AccountKeys(.email(email))
        keys.readsSignInMethods = true
        keys.code = AccountKeys.Code(hash: EmailCode.hash(code), purpose: purpose)
        return keys
    }

    /// Returns the account and password of a valid code; `nil` for one that is wrong or has expired.
    func account(
        ofCodeIn snapshot: AccountSnapshot
    ) -> (account: StoredAccount, password: StoredPassword)? {
        guard let account = snapshot.account, let password = snapshot.password,
            let code = snapshot.code, code.email == password.email,
            code.expiresAt > now.secondsSince1970
        else { return nil }
        return (account, password)
    }

    /// Redeems a code: the email becomes verified and, with a new password, all sessions end.
    ///
    /// - Returns: False when the code is wrong, has expired, or was redeemed before.
    func redeem(
        newPassword: Passwords.Hash?, over snapshot: AccountSnapshot
    ) -> AccountOutcome<Bool> {
        guard let (account, known) = account(ofCodeIn: snapshot) else {
            return AccountOutcome(reply: false)
        }
        let password = StoredPassword(
            email: known.email, hash: newPassword ?? known.hash,
            verifiedAt: now.secondsSince1970)
        let ending = newPassword == nil ? [] : endSessions(of: account, except: nil)
        return AccountOutcome(
            [
                .signIn(.removeCodes(of: account.id, exceptFor: nil)),
                .signIn(.setPassword(password, of: account.id)),
            ] + ending, reply: true)
    }
}
