import Testing

@testable import ContentModel

@Suite struct NearestNameTests {
    private let names = ["frac", "dfrac", "sqrt", "text"]

    @Test(arguments: [
        ("fracc", "frac"), ("farc", "frac"), ("dfra", "dfrac"), ("tfrac", "frac"), ("sqr", "sqrt"),
    ])
    func oneMistakeIsNear(word: String, name: String) {
        #expect(nearestName(to: word, among: names, distanceMax: 1) == name)
    }

    @Test func fartherNamesAreNotNear() {
        #expect(nearestName(to: "fraccc", among: names, distanceMax: 1) == nil)
        #expect(nearestName(to: "fraccc", among: names, distanceMax: 2) == "frac")
        #expect(nearestName(to: "x", among: [], distanceMax: 9) == nil)
    }
}
