import CoreMetrics
import Foundation
import Telemetry
import Testing

@Suite struct PrometheusExporterTests {
    @Test func valuesStandInOrderWithTypesAndHelp() {
        let exporter = PrometheusExporter(help: ["b_total": "Two\nlines \\ here."])
        Counter(label: "b", dimensions: [("z", "1"), ("a", "x")], factory: exporter).increment(
            by: 2)
        Counter(label: "b_total", dimensions: [("a", "x"), ("z", "1")], factory: exporter)
            .increment()
        Meter(label: "a.level", factory: exporter).set(-1.5)

        #expect(
            exporter.text() == """
                # TYPE a_level gauge
                a_level -1.5
                # HELP b_total Two\\nlines \\\\ here.
                # TYPE b_total counter
                b_total{a="x",z="1"} 3

                """)
    }

    @Test func aTimerIsAHistogramInSeconds() {
        let exporter = PrometheusExporter()
        let timer = Timer(label: "wait", dimensions: [("route", "/x")], factory: exporter)
        timer.recordNanoseconds(1_000_000)
        timer.recordNanoseconds(1_000_001)
        timer.recordSeconds(11)
        let lines = exporter.text().split(separator: "\n")

        #expect(lines.first == "# TYPE wait_seconds histogram")
        #expect(lines.contains("wait_seconds_bucket{route=\"/x\",le=\"0.001\"} 1"))
        #expect(lines.contains("wait_seconds_bucket{route=\"/x\",le=\"0.0025\"} 2"))
        #expect(lines.contains("wait_seconds_bucket{route=\"/x\",le=\"10\"} 2"))
        #expect(lines.contains("wait_seconds_bucket{route=\"/x\",le=\"+Inf\"} 3"))
        #expect(lines.contains("wait_seconds_count{route=\"/x\"} 3"))
        #expect(lines.contains { $0.hasPrefix("wait_seconds_sum{route=\"/x\"} 11.00200") })
    }

    @Test func labelsFromOutsideCannotBreakALine() {
        let exporter = PrometheusExporter()
        let hostile = "a\"} 1\nfake_total 9\\" + String(repeating: "x", count: 1_000)
        Counter(label: "1 bad-näme", dimensions: [("la bel", hostile)], factory: exporter)
            .increment()
        let text = exporter.text()

        #expect(text.split(separator: "\n").count == 2)
        #expect(
            text.hasPrefix(
                "# TYPE _1_bad_n_me_total counter\n_1_bad_n_me_total{la_bel=\"a\\\"} 1\\n"))
        #expect(text.utf8.count < 400)
    }

    @Test func aNameHasOneKindAndSeriesALimit() {
        let exporter = PrometheusExporter(seriesMax: 3)
        Meter(label: "level_total", factory: exporter).set(4)
        // Another kind of the same name, and a fourth series, go on without harm.
        Counter(label: "level_total", factory: exporter).increment()
        for number in 0..<5 {
            Counter(label: "n", dimensions: [("i", "\(number)")], factory: exporter).increment()
        }

        #expect(
            exporter.text() == """
                # TYPE level_total gauge
                level_total 4
                # TYPE metrics_left_out_total counter
                metrics_left_out_total 4
                # TYPE n_total counter
                n_total{i="0"} 1
                n_total{i="1"} 1

                """)
    }

    @Test func manyThreadsLoseNoCount() async {
        let exporter = PrometheusExporter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = Counter(label: "n", factory: exporter)
                    let gauge = Meter(label: "g", factory: exporter)
                    for _ in 0..<10_000 {
                        counter.increment()
                        gauge.increment()
                        gauge.decrement()
                    }
                }
            }
        }
        #expect(exporter.text().contains("n_total 80000\n") && exporter.text().contains("g 0\n"))
    }

    @Test func samplesOfTheMomentAreAdded() {
        let exporter = PrometheusExporter(help: ["up": "Whether it is."])
        let text = exporter.text(adding: [
            .init("up", 1), .init("age_seconds", .infinity, labels: [("of", "release")]),
            .init("age_seconds", .nan, labels: [("of", "board")]),
        ])
        #expect(
            text == """
                # TYPE age_seconds gauge
                age_seconds{of="board"} NaN
                age_seconds{of="release"} +Inf
                # HELP up Whether it is.
                # TYPE up gauge
                up 1

                """)
        #expect(exporter.text().isEmpty)
    }
}
