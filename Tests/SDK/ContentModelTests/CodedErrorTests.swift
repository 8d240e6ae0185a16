import ContentModel
import Foundation
import Testing

/// Errors with a code, a message and facts.
@Suite struct CodedErrorTests {
    private enum Kind: String, ErrorCode {
        case broken, late
        struct Details: Hashable { var seconds: Int }
    }

    private func error(_ code: Kind, seconds: Int, cause: (any Error)? = nil) -> CodedError<Kind> {
        CodedError(code, "Wait a little.", details: .init(seconds: seconds), cause: cause)
    }

    @Test func everythingButTheCauseIsCompared() {
        let late = error(.late, seconds: 3, cause: CocoaError(.coderInvalidValue))
        #expect(late == error(.late, seconds: 3))
        #expect(late.hashValue == error(.late, seconds: 3).hashValue)
        #expect(late != error(.broken, seconds: 3) && late != error(.late, seconds: 4))
        var other = late
        other.message = "Wait."
        #expect(late != other)
    }

    @Test func factsAreProperties() {
        var late = error(.late, seconds: 3)
        late.seconds += 1
        #expect(late.seconds == 4 && late.details.seconds == 4)
    }

    @Test func codeAndMessageAreTheText() {
        let late: any Error = error(.late, seconds: 3)
        #expect("\(late)" == "Wait a little." && late.localizedDescription == "Wait a little.")
        #expect("\(Kind.late)" == "late" && "\(TrustError.Code.expired)" == "expired")
    }

    /// Errors of one shape are errors of different types.
    @Test func anErrorIsCaughtByItsName() {
        let error: any Error = TrustError(.expired, role: "root", "Sign again.")
        #expect(error is TrustError && !(error is ManifestError))
        #expect((error as? TrustError)?.role == "root")
    }
}
