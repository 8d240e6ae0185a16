import Foundation
import TestSupport
import Testing

@testable import ContentModel

/// Untrusted formulas: limits, random sources and hostile ones.
@Suite struct FormulaParserTests {
    private func mistake(_ tex: String) -> FormulaMistake? {
        Formula(tex: tex, isDisplayed: false).mistake
    }

    /// A formula with each command, which its class tells how to use.
    private func example(_ name: String, ofClass className: String) -> String {
        let command = "\\" + name
        switch className {
        case "accent", "wide", "alphabet", "text": return command + "{x}"
        case "fence": return "\\left\(name) x \\right."
        case "negated": return "\\not \(name) x"
        case "environment":
            let columns = name == "array" ? "{c}" : ""
            return "\\begin{\(name)}\(columns) x \\end{\(name)}"
        case "structure": return example(ofStructure: name)
        default: return "x \(command) y"
        }
    }

    private func example(ofStructure name: String) -> String {
        switch name {
        case "left", "right", "middle": "\\left( x \\middle| y \\right)"
        case "begin", "end": "\\begin{matrix} x \\end{matrix}"
        case "limits", "nolimits": "\\sum\\\(name)_1"
        case "not": "\\not="
        case "ce": "\\ce{H2O}"
        case let name where name.lowercased().hasPrefix("big"): "\\\(name)| x"
        default: "\\\(name){x}{y}"
        }
    }

    @Test func everyCommandOfTheTableParses() throws {
        let vectors = try FormulaVectors.read()
        #expect(vectors.commands.count == 17)
        var commands: Set<String> = []
        for names in vectors.commands {
            for name in names.names.keys {
                let tex = example(name, ofClass: names.class)
                #expect(mistake(tex) == nil, "\(tex): \(mistake(tex)?.message ?? "")")
                switch names.class {
                case "environment", "negated": break
                case "fence": if name.first == "\\" { commands.insert(String(name.dropFirst())) }
                default: commands.insert(name)
                }
            }
        }
        #expect(commands.count == 308)
        #expect(commands == Set(TeXCommand.all.keys))
        let environments = Set(TeXTables.environments.keys).union(["array"])
        #expect(environments == Set(vectors.names("environment")))
    }

    @Test func limitsAreExact() {
        func nested(_ depth: Int) -> String {
            String(repeating: "{", count: depth) + String(repeating: "}", count: depth)
        }
        func cells(_ count: Int) -> String {
            "\\begin{matrix}" + String(repeating: "&", count: count - 1) + "\\end{matrix}"
        }
        #expect(mistake(nested(16)) == nil)
        #expect(mistake(nested(17))?.kind == .limit)
        #expect(mistake(String(repeating: "x", count: 600)) == nil)
        #expect(mistake(String(repeating: "x", count: 601))?.kind == .limit)
        #expect(mistake(cells(400)) == nil)
        #expect(mistake(cells(401))?.kind == .limit)
        let text = "\\text{" + String(repeating: "é", count: 1020)
        #expect(mistake(text + "x}") == nil)
        #expect(mistake(text + "xy}") == FormulaMistake(kind: .limit, offset: 1028, found: ""))
    }

    @Test(arguments: [
        #"\sqrt"#, #"\not"#, #"\displaystyle"#, #"\left("#, #"\ce{\ce"#, "x^{", "x_\\vec",
    ])
    func nestingIsBounded(part: String) {
        let tex = String(repeating: part, count: 2000 / part.utf8.count)
        #expect(mistake(tex) != nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomSourcesNeverTrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = RandomFormula.parts
        var goodCount = 0
        for round in 0..<100 {
            let count = Int.random(in: 1...24, using: &random)
            let tex = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let formula = Formula(tex: tex, isDisplayed: false)
            if let mistake = formula.mistake {
                #expect((0...tex.unicodeScalars.count).contains(mistake.offset), "\(seed): \(tex)")
                #expect(round % 20 > 0 || !mistake.message.isEmpty)
                #expect(formula.plainText == tex)
            } else {
                goodCount += 1
                _ = (formula.plainText, formula.spokenText())
            }
        }
        #expect(goodCount > 2, "seed \(seed)")
    }

    @Test(arguments: [
        "x", "{", #"\text{a}"#, #"\frac12"#, "x_1^2+", #"\left(x\right)"#, #"\alpha"#, "1", "'",
        #"\aaaaaaaa"#, "[", #"\sqrt[x"#, "&", #"\ce{H2O}"#, #"\ce{->[x"#, #"\begin{matrix}"#, " ",
    ])
    func timeIsLinear(part: String) {
        func seconds(_ size: Int) -> Double {
            let tex = String(repeating: part, count: size / part.utf8.count)
            return ProcessorTime.seconds(runs: 20) {
                _ = Formula(tex: tex, isDisplayed: false).plainText
            }
        }
        // A quadratic parser needs 16 times as long for four times the source.
        let (short, long) = (seconds(500), seconds(2000))
        #expect(long < 10 * short + 0.0002, "\(part): \(short) s, then \(long) s")
    }
}

/// The parts of random formulas.
enum RandomFormula {
    static let parts: [String] = {
        let marks = #"""
            { } { } [ ] ( ) | ^ _ ' & \\ \ % $ x y A 12 3.5 {,} + - = < , ! / é \frac{1}{2} {a+b}
            \begin{matrix}1&2\end{matrix} \left(x\right) \ce{ H2O -> [ ^2- \text{ \begin{cases}
            \end{cases}
            """#
        var parts = marks.split(whereSeparator: \.isWhitespace).map(String.init)
        parts += TeXCommand.all.keys.sorted().map { "\\" + $0 + " " }
        parts += [" ", "\u{301}"]
        parts += Array(repeating: "x", count: 300) + Array(repeating: "2", count: 60)
        return parts
    }()
}
