/// Prometheus' text format 0.0.4.
enum PrometheusText {
    /// The most bytes of a label's value; what is longer is cut.
    private static let labelBytesMax = 200

    /// Returns a name with `_` in place of characters that none may have.
    static func name(_ text: String) -> String {
        let name = String(
            String.UnicodeScalarView(text.unicodeScalars.map { allowed($0) ? $0 : "_" }))
        guard let first = name.first, !first.isNumber else { return "_" + name }
        return name
    }

    private static func allowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ":": true
        default: false
        }
    }

    /// Returns labels as they stand between braces, in the order of their names; of two of one name the last.
    static func labels(_ labels: [(String, String)]) -> String {
        var values: [String: String] = [:]
        for (name, value) in labels {
            values[self.name(name).replacing(":", with: "_")] = value
        }
        return values.sorted { $0.key < $1.key }
            .map { "\($0.key)=\"\(escaped(label: $0.value))\"" }.joined(separator: ",")
    }

    private static func escaped(label: String) -> String {
        var text = ""
        for scalar in label.unicodeScalars {
            guard text.utf8.count < labelBytesMax else { break }
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Returns the lines of all families.
    static func render(_ families: [String: MetricFamily], help: [String: String]) -> String {
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            if let words = help[name] {
                let escaped = words.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
                text += "# HELP \(name) \(escaped)\n"
            }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                text += lines(name, labels, series)
            }
        }
        return text
    }

    private static func lines(_ name: String, _ labels: String, _ series: MetricSeries) -> String {
        let value = series.value
        guard let bounds = series.bounds else {
            return "\(name)\(braces(labels)) \(number(value.sum))\n"
        }
        var text = ""
        var below = 0
        for (bound, count) in zip(bounds + [.infinity], value.buckets) {
            below += count
            let limit = "le=\"\(number(bound))\""
            text +=
                "\(name)_bucket\(braces(labels.isEmpty ? limit : labels + "," + limit)) \(below)\n"
        }
        text += "\(name)_sum\(braces(labels)) \(number(value.sum))\n"
        return text + "\(name)_count\(braces(labels)) \(value.count)\n"
    }

    private static func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
