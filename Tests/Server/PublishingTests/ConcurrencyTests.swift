import TestSupport
import Testing

@testable import Publishing

@Suite struct ConcurrencyTests {
    private struct Odd: Error, Equatable { var number: Int }

    @Test func resultsStandInTheOrderOfTheElements() throws {
        #expect(Array(0..<1000).concurrentMap { $0 * 2 } == (0..<1000).map { $0 * 2 })
        #expect([Int]().concurrentMap { $0 }.isEmpty)
        #expect(throws: Odd(number: 3)) {
            try [2, 4, 3, 6, 5].concurrentMap { number throws(Odd) in
                if number % 2 == 1 { throw Odd(number: number) }
                return number
            }
        }
    }

    @Test func bothSidesEndBeforeAnErrorIsThrown() throws {
        let (one, two) = try alongside({ 1 }, { "two" })
        #expect(one == 1 && two == "two")
        let folder = try TemporaryFolder()
        #expect(throws: Odd(number: 1)) {
            try alongside(
                {
                    try folder.write("written", to: "other")
                    throw Odd(number: 1)
                }, { throw Odd(number: 2) })
        }
        #expect(try folder.read("other") == Array("written".utf8))
        #expect(throws: Odd(number: 2)) {
            try alongside({ try folder.write("again", to: "other") }, { throw Odd(number: 2) })
        }
        #expect(try folder.read("other") == Array("again".utf8))
    }
}
