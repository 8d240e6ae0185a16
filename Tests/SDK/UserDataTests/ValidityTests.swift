import Foundation
import Testing
import UserData

@Suite struct ValidityTests {
    @Test func namesAreShortAndPlain() {
        for name in ["a", "Z9", "snake_case", "kebab-case", String(repeating: "a", count: 64)] {
            #expect(Validity.isName(name), "\(name)")
        }
        for name in [
            "", "9a", "_a", "-a", "a b", "ä", "a.b", "a\0", String(repeating: "a", count: 65),
        ] {
            #expect(!Validity.isName(name), "\(name)")
        }
    }

    @Test func idsMayHaveMarks() {
        for id in ["1", "ca/az-104", "a.b_c:d~e@f+g", String(repeating: "i", count: 200)] {
            #expect(Validity.isID(id), "\(id)")
        }
        for id in ["", " ", "a b", "é", "a\0", "a\"b", String(repeating: "i", count: 201)] {
            #expect(!Validity.isID(id), "\(id)")
        }
    }

    @Test func valuesAreThoseThatEverySideReads() {
        let most = FieldValue.integerMax
        let valid: [FieldValue] = [
            .null, true, .integer(most), .integer(-most), .decimal(0.1), "", .list([]),
            .list([1, "a", .null]),
            .text(String(repeating: "x", count: Validity.textBytesMax)),
        ]
        for value in valid { #expect(Validity.isValue(value)) }
        let invalid: [FieldValue] = [
            .integer(most + 1), .integer(.min), .decimal(.infinity), .decimal(.nan), "a\0b",
            .list([.list([])]), .list(["a\0"]),
            .list(Array(repeating: 1, count: Validity.listMax + 1)),
            .text(String(repeating: "x", count: Validity.textBytesMax + 1)),
        ]
        for value in invalid { #expect(!Validity.isValue(value)) }
    }

    @Test func aRecordHasALimitOfFieldsAndBytes() {
        func fields(_ count: Int, _ value: FieldValue = 1) -> [String: FieldValue] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("f\($0)", value) })
        }
        #expect(Validity.areFields(fields(Validity.fieldsMax)))
        #expect(!Validity.areFields(fields(Validity.fieldsMax + 1)))
        let text = FieldValue.text(String(repeating: "x", count: Validity.textBytesMax))
        #expect(Validity.areFields(fields(3, text)) && !Validity.areFields(fields(4, text)))
        #expect(!Validity.areFields(["not a name": 1]) && !Validity.areFields(["a": "\0"]))
    }

    @Test func theCountedBytesAreThoseOfTheJSON() throws {
        let fields: [String: FieldValue] = [
            "a": 12, "b": "plain", "c": .list([1, "x", .null, true, false]), "d": .null,
            "e": .list([]), "f": "tab\t quote\" back\\ bell\u{7} é 😀",
        ]
        let json = """
            {"a":12,"b":"plain","c":[1,"x",null,true,false],"d":null,"e":[],\
            "f":"tab\\t quote\\" back\\\\ bell\\u0007 é 😀"}
            """
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
        // A list that is not empty counts one comma more.
        #expect((0...1).contains(Validity.encodedBytes(fields) - json.utf8.count))
        #expect(Validity.encodedBytes([:]) <= 2)
    }

    @Test func theServersNamesAreReserved() {
        #expect(Validity.isReserved(.server) && Validity.isReserved(.plainRequests))
        #expect(!Validity.isReserved(ClientID("phone")))
    }

    @Test func wholeNumbersHaveOneForm() {
        #expect(FieldValue.decimal(3).normalized == 3)
        #expect(FieldValue.decimal(-0.0).normalized == 0)
        #expect(FieldValue.decimal(0.5).normalized == .decimal(0.5))
        #expect(FieldValue.decimal(1e300).normalized == .decimal(1e300))
        #expect(FieldValue.list([.decimal(2), "x"]).normalized == .list([2, "x"]))
        #expect(FieldValue.text("2").normalized == "2")
    }

    @Test func identitiesHaveOneOrder() {
        #expect(ClientID("a") < ClientID("b") && ClientID("Z") < ClientID("a"))
        let ids = [
            OperationID(client: ClientID("b"), counter: 1),
            OperationID(client: ClientID("a"), counter: 10),
            OperationID(client: ClientID("a"), counter: 9),
        ]
        #expect(ids.sorted() == [ids[2], ids[1], ids[0]])
        let keys = [RecordKey("b", "a"), RecordKey("a", "b"), RecordKey("a", "a")]
        #expect(keys.sorted() == [keys[2], keys[1], keys[0]])
    }
}
