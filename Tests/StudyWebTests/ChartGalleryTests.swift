import Foundation
import PageRendering
import Testing

@testable import StudyWeb

/// All charts on one page, to look at: written to the path in `CHART_GALLERY`.
@Suite struct ChartGalleryTests {
    private static let path = ProcessInfo.processInfo.environment["CHART_GALLERY"]

    @Test(.enabled(if: path != nil)) func galleryIsWritten() throws {
        let path = try #require(Self.path)
        for (theme, isRightToLeft) in [("light", false), ("dark", false), ("light", true)] {
            let style = try #require(String(bytes: PageFiles.charts, encoding: .utf8))
            let page = Self.page(theme, isRightToLeft, style)
            let name = "\(path)-\(theme)-\(isRightToLeft ? "rtl" : "ltr").html"
            try Data(page.utf8).write(to: URL(filePath: name))
        }
    }

    private static func page(_ theme: String, _ isRightToLeft: Bool, _ style: String) -> String {
        let long = ["Deckhand", "Mate", "Captain", "Admiral"]
        let longer = [
            "Vollkommen am Anfang", "Fortgeschrittene", "Überdurchschnittlich", "Meister",
        ]
        let more = [
            ChartSamples.levels(long).chart(id: "l1", isRightToLeft: isRightToLeft),
            ChartSamples.levels(longer, value: 9, range: 0.9...9)
                .chart(id: "l2", isRightToLeft: isRightToLeft),
            ChartSamples.levels(value: -9, range: -9 ... -1)
                .chart(id: "l3", isRightToLeft: isRightToLeft),
            ChartSamples.forecast(hasPast: false).chart(id: "f1", isRightToLeft: isRightToLeft),
            ChartSamples.forecast(days: 0).chart(id: "f2", isRightToLeft: isRightToLeft),
            ChartSamples.forecast(pass: 0.6, days: 200)
                .chart(id: "f3", isRightToLeft: isRightToLeft),
            ChartSamples.columns(Array(repeating: 0, count: 14))
                .chart(id: "c1", isRightToLeft: isRightToLeft),
            ChartSamples.columns([1234, 0, 900] + Array(repeating: 20, count: 11))
                .chart(id: "c2", isRightToLeft: isRightToLeft),
            ChartSamples.shares(hasInterval: false).chart(id: "s1", isRightToLeft: isRightToLeft),
        ]
        let charts = ChartSamples.all(id: "a", isRightToLeft: isRightToLeft) + more
        let cards = charts.map { chart in
            "<section><h2>\(HTMLText.escaped(chart.finding))</h2>\(chart.svg)"
                + "<details><summary>Show as table</summary>"
                + "\(chart.table.html(caption: chart.finding))</details></section>"
        }
        let tokens =
            theme == "light"
            ? """
            --page:#F7F7F4;--card:#fff;--sunk:#EFEFEA;--ink:#1A1C20;--soft:#545962;--line:#DEDED7;\
            --edge:#7E828A;--accent:#1C57A8;--series-2:#A34A00;
            """
            : """
            --page:#111316;--card:#1A1D22;--sunk:#23272D;--ink:#ECEDEF;--soft:#A9AFB9;--line:#31363E;\
            --edge:#7F8794;--accent:#8DB8F5;--series-2:#F0A35E;
            """
        return """
            <!doctype html><html lang="en" dir="\(isRightToLeft ? "rtl" : "ltr")"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width"><title>Charts</title><style>
            :root{\(tokens)} body{margin:16px;background:var(--page);color:var(--ink);\
            font-family:"Noto Sans",sans-serif;line-height:1.5;max-width:800px}
            section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px;\
            margin-block:16px} h2{font-size:1rem;margin:0 0 12px}
            \(style)</style><main><h1>Charts</h1>\(cards.joined())</main></html>
            """
    }
}
