import ContentModel

/// The key of a text entry of QTI 2.x or 3.0 whose response is a number.
///
/// It is part of the response processing, as `equal` with its tolerance or as `gte` and `lte` about
/// a range; an item with a template or without processing accepts the correct response alone.
struct QTINumber {
    let item: XMLElement
    let declaration: XMLElement
    let identifier: String

    /// Creates a reader; `nil` when the response is not a number.
    init?(_ item: XMLElement, _ declaration: XMLElement?) {
        guard let declaration, let identifier = declaration.qtiAttribute("identifier"),
            ["float", "integer"].contains(declaration.qtiAttribute("basetype") ?? "")
        else { return nil }
        self.item = item
        self.declaration = declaration
        self.identifier = identifier
    }

    /// The key, or the reason that there is none.
    var key: Result<NumericKey, SkipReason> {
        let others = Set(accepted.full.map { DecimalNumber($0) })
        guard others.count < 2 else {
            let shown = accepted.full.joined(separator: ", ")
            return .failure(
                SkipReason(
                    .keySeveral, "several right numbers are not supported: right are \(shown)"))
        }
        let conditions = item.qtiAll("responseprocessing").flatMap(conditions)
            .sorted { $0.qtiName < $1.qtiName }
        switch conditions.map(\.qtiName) {
        case [], ["match"]: return exact
        case ["equal"]: return equal(conditions[0])
        case ["gte", "lte"]: return range(from: conditions[0], to: conditions[1])
        default:
            return .failure(
                SkipReason(.typeUnsupported, "its conditions are not one value and not one range"))
        }
    }

    /// Returns the conditions around each use of the response, except tests for null.
    private func conditions(_ element: XMLElement) -> [XMLElement] {
        element.children.flatMap { child -> [XMLElement] in
            if child.qtiName == "isnull" { return [] }
            let isAboutResponse = child.children.contains {
                $0.qtiName == "variable" && $0.qtiAttribute("identifier") == identifier
            }
            return (isAboutResponse ? [child] : []) + conditions(child)
        }
    }

    private var exact: Result<NumericKey, SkipReason> {
        correctValue.map { .success(NumericKey(.value($0, .absolute(0)))) }
            ?? .failure(SkipReason(.keyNone, "it has no right number"))
    }

    /// The values that earn all, and those that earn a part.
    var accepted: (full: [String], part: [String]) { Self.accepted(declaration) }

    /// Returns the values that a declaration accepts: its correct response, and what its mapping gives points for.
    static func accepted(_ declaration: XMLElement?) -> (full: [String], part: [String]) {
        let correct = declaration?.qtiChild("correctresponse")?.qtiAll("value") ?? []
        let mapped = (declaration?.qtiAll("mapentry") ?? []).compactMap { entry in
            entry.qtiAttribute("mapkey").map {
                (value: $0, credit: Double(entry.qtiAttribute("mappedvalue") ?? "") ?? 0)
            }
        }.filter { $0.credit > 0 }
        let best = mapped.map(\.credit).max() ?? 0
        var full = correct.map(\.trimmedText)
        for entry in mapped where entry.credit == best && !full.contains(entry.value) {
            full.append(entry.value)
        }
        return (full, mapped.filter { $0.credit < best && !full.contains($0.value) }.map(\.value))
    }

    /// The correct response, else the one number that earns credit in the mapping.
    private var correctValue: DecimalNumber? {
        if let correct = declaration.qtiChild("correctresponse") {
            return correct.qtiAll("value").first.flatMap { DecimalNumber($0.trimmedText) }
        }
        let mapped = declaration.qtiAll("mapentry").filter {
            (Double($0.qtiAttribute("mappedvalue") ?? "") ?? 0) > 0
        }
        guard mapped.count == 1 else { return nil }
        return mapped[0].qtiAttribute("mapkey").flatMap { DecimalNumber($0) }
    }

    /// Returns the number that a condition compares the response with.
    private func operand(_ condition: XMLElement) -> DecimalNumber? {
        if let base = condition.qtiChild("basevalue") { return DecimalNumber(base.trimmedText) }
        return condition.qtiChild("correct") == nil ? nil : correctValue
    }

    private func equal(_ condition: XMLElement) -> Result<NumericKey, SkipReason> {
        guard let value = operand(condition) else {
            return .failure(SkipReason(.keyNone, "it has no right number"))
        }
        let written = condition.qtiAttribute("tolerance") ?? "0"
        let tolerances = written.split(separator: " ").map { DecimalNumber($0) }
        guard let lower = tolerances.first ?? nil, let upper = tolerances.last ?? nil else {
            return .failure(SkipReason(.keyUnknown, "its tolerance \"\(written)\" is no number"))
        }
        switch condition.qtiAttribute("tolerancemode") ?? "exact" {
        case "exact": return .success(NumericKey(.value(value, .absolute(0))))
        case "absolute" where lower == upper:
            return .success(NumericKey(.value(value, .absolute(lower))))
        case "absolute":
            return .success(NumericKey(.range(from: value - lower, to: value + upper)))
        case "relative" where lower == upper:
            // The standard gives relative tolerances in percent.
            return .success(NumericKey(.value(value, .relative(lower.percent))))
        default:
            return .failure(SkipReason(.typeUnsupported, "its tolerance has two different shares"))
        }
    }

    private func range(
        from: XMLElement, to: XMLElement
    ) -> Result<NumericKey, SkipReason> {
        // The response is the first operand; otherwise the bounds would be reversed.
        guard from.children.first?.qtiName == "variable", let low = operand(from),
            to.children.first?.qtiName == "variable", let high = operand(to)
        else { return .failure(SkipReason(.keyUnknown, "its range has no two numbers")) }
        return .success(NumericKey(.range(from: low, to: high)))
    }
}
