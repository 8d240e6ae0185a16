import Foundation
import PageRendering
import Underway

/// The response in a sent form: chosen options, an order, or a number.
struct ResponseForm {
    private let form: FormFields
    private let commaIsDecimal: Bool

    init(_ form: FormFields, commaIsDecimal: Bool = false) {
        self.form = form
        self.commaIsDecimal = commaIsDecimal
    }

    /// The response; empty when nothing was chosen, or when the text is no number.
    var response: QuestionResponse {
        guard let text = form["number"] else { return .options(form.all("option")) }
        let number = try? DecimalNumber(
            entered: text, unit: form["unit"], commaIsDecimal: commaIsDecimal)
        return number.map { .number($0) } ?? []  // The page says so and keeps the text.
    }

    /// The choice as the query of the question's address, so that a step beside the answer loses nothing.
    var query: String {
        let fields = form.all("option").map { "option=\(Self.encoded($0))" }
        let number = form["number"].map { "number=\(Self.encoded($0))" }
        let all = fields + [number].compactMap(\.self)
        return all.isEmpty ? "" : "?" + all.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The order with one row moved, as the arrows of an ordering ask for it (`move` = `up:2`); `nil` for
    /// another step.
    var moved: FormFields? {
        guard let parts = form["move"]?.split(separator: ":"), parts.count == 2,
            let place = Int(parts[1])
        else { return nil }
        var order = form.all("option")
        guard place >= 1, place <= order.count else { return nil }
        let (from, to) = (place - 1, parts[0] == "up" ? place - 2 : place)
        if order.indices.contains(to) { order.swapAt(from, to) }
        return FormFields(order.map { (name: "option", value: $0) })
    }
}
