import Foundation
import Tables
import Testing

/// The identity of an account for policies.
@Suite struct UserClaimsTests {
    @Test func aUUIDIsItsOwnIdentity() {
        let id = "5F2A6C1E-0B7D-4E0A-9C55-1D2F3A4B5C6D"
        #expect(UserClaims(of: id).user.uuidString == id)
        #expect(UserClaims(of: id.lowercased()).user.uuidString == id)
    }

    /// Stored rows have the identity, so it never changes.
    @Test func anotherIdHasALastingIdentity() {
        let user = UserClaims(of: "u-lPlxIj73mGC-5hxrNzg").user
        #expect(user.uuidString == "246DD867-56A6-817D-BED8-5E7FD0CEE78F")
        #expect(user != UserClaims(of: "u-lPlxIj73mGC-5hxrNzh").user)
    }
}
