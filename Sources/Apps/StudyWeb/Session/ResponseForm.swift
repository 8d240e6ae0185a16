import Foundation
import PageRendering
import Underway

/// The response in a sent form: chosen options, an order, or a number.
struct ResponseForm {
    private let form: FormFields
    private let locale: Locale

    /// Reads a form.
    ///
    /// - Parameters:
    ///   - form: The fields.
    ///   - locale: The locale of the page, by which a typed number is read.
    init(_ form: FormFields, locale: Locale) {
        self.form = form
        self.locale = locale
    }

    /// The typed number, or the reading of it that was chosen; `nil` for a question with options.
    var number: String? { form["reading"] ?? form["number"] }

    /// The response; empty when nothing was chosen or typed.
    ///
    /// - Throws: `EnteredNumberError` for a text that is no number, or may be two.
    var response: QuestionResponse {
        get throws(EnteredNumberError) {
            guard let number else { return .options(form.all("option")) }
            do throws(EnteredNumberError) {
                return .number(
                    try DecimalNumber(entered: number, unit: form["unit"], locale: locale))
            } catch {
                guard error.code == .emptyNumber else { throw error }
                return []
            }
        }
    }

    /// The choice as the query of the question's address, so that a step beside the answer loses nothing.
    var query: String {
        let fields = form.all("option").map { "option=\($0.addressPart)" }
        let number = form["number"].map { "number=\($0.addressPart)" }
        let all = fields + [number].compactMap(\.self)
        return all.isEmpty ? "" : "?" + all.joined(separator: "&")
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
