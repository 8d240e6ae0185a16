import UserData

extension QuestionReport.Reason {
    /// Returns a reason in words; the name itself for one of a later version.
    static func words(_ name: String) -> String {
        switch QuestionReport.Reason(rawValue: name) {
        case .wrongKey: "Another answer is right"
        case .unclear: "It can be understood in several ways"
        case .outdated: "It is out of date"
        case .language: "A misprint or a wrong translation"
        case .media: "A picture, clip or code is missing"
        case .other: "Something else"
        case nil: name
        }
    }
}
