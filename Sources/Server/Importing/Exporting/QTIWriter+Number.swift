import ContentModel

/// Numeric entries: a text entry whose response is a number, scored by the response processing.
extension QTIWriter {
    /// The class of the element that shows a unit; an import reads the unit from the marks.
    static let unitClass = "underway-unit"

    /// Returns the stem, the field and the unit.
    static func entry(_ key: NumericKey, stem: String) -> String {
        let unit = key.unit.map {
            " <span class=\"\(unitClass)\">\(XMLElement.escaped($0))</span>"
        }
        return "<p>\(stem)</p>\n<p><qti-text-entry-interaction response-identifier=\"RESPONSE\""
            + " expected-length=\"15\"/>\(unit ?? "")</p>"
    }

    /// Returns the response processing, which gives 1 for a correct number, else 0.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - feedback: The rules that show feedback.
    /// - Returns: The element, with a line feed.
    static func processing(_ key: NumericKey, _ feedback: String) -> String {
        "<qti-response-processing><qti-response-condition><qti-response-if>"
            + condition(key) + score(1) + "</qti-response-if><qti-response-else>" + score(0)
            + "</qti-response-else></qti-response-condition>" + feedback
            + "</qti-response-processing>\n"
    }

    private static func score(_ points: Int) -> String {
        "<qti-set-outcome-value identifier=\"SCORE\">\(value("\(points)"))</qti-set-outcome-value>"
    }

    private static func value(_ number: String) -> String {
        "<qti-base-value base-type=\"float\">\(number)</qti-base-value>"
    }

    private static func condition(_ key: NumericKey) -> String {
        let response = "<qti-variable identifier=\"RESPONSE\"/>"
        switch key.accepted {
        case .range(let from, let to):
            return "<qti-and><qti-gte>\(response)\(value("\(from)"))</qti-gte>"
                + "<qti-lte>\(response)\(value("\(to)"))</qti-lte></qti-and>"
        case .value(_, let tolerance):
            return "<qti-equal \(mode(tolerance))><qti-correct identifier=\"RESPONSE\"/>"
                + "\(response)</qti-equal>"
        }
    }

    private static func mode(_ tolerance: NumericKey.Tolerance) -> String {
        switch tolerance {
        case .absolute(0), .relative(0): "tolerance-mode=\"exact\""
        case .absolute(let distance):
            "tolerance-mode=\"absolute\" tolerance=\"\(distance) \(distance)\""
        case .relative(let share):
            // The standard gives relative tolerances in percent.
            "tolerance-mode=\"relative\" tolerance=\"\(share * 100) \(share * 100)\""
        }
    }
}
