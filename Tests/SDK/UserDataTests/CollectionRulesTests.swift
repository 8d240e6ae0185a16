import Testing
import UserData

@Suite struct CollectionRulesTests {
    @Test func kindsAreThoseOfJSONSchema() {
        let values: [(FieldValue, Set<FieldRule.Kind>)] = [
            (.null, [.null]), (true, [.boolean]), (7, [.integer, .number]),
            (.decimal(0.5), [.number]), ("x", [.string]), (.list([1]), [.array]),
        ]
        for (value, kinds) in values {
            for kind in FieldRule.Kind.allCases {
                #expect(
                    FieldRule([kind]).accepts(value) == kinds.contains(kind), "\(value) \(kind)")
            }
            #expect(FieldRule().accepts(value))
            #expect(FieldRule(Set(FieldRule.Kind.allCases)).accepts(value))
        }
    }

    @Test func numbersHaveARange() {
        let rule = FieldRule([.number], minimum: -1, maximum: 2.5)
        for number: FieldValue in [-1, 0, 2, .decimal(2.5), .decimal(-0.5)] {
            #expect(rule.accepts(number), "\(number)")
        }
        for number: FieldValue in [-2, 3, .decimal(2.6), .decimal(.nan)] {
            #expect(!rule.accepts(number), "\(number)")
        }
        #expect(FieldRule(minimum: 3).accepts("no number"))
    }

    @Test func textsAndListsHaveALength() {
        let rule = FieldRule(lengthMin: 2, lengthMax: 3)
        #expect(rule.accepts("ab") && rule.accepts("äöü") && rule.accepts(.list([1, 2])))
        #expect(!rule.accepts("a") && !rule.accepts("abcd"))
        #expect(!rule.accepts(.list([])) && !rule.accepts(.list([1, 2, 3, 4])))
        #expect(rule.accepts(7), "a number has no length")
    }

    @Test func choicesAreAllThatIsAllowed() {
        let rule = FieldRule(choices: ["a", 1])
        #expect(rule.accepts("a") && rule.accepts(1))
        #expect(!rule.accepts("b") && !rule.accepts(.null))
    }

    private let rules = CollectionRules(
        CollectionDeclaration("notes", .lastWriteWins),
        fields: ["title": FieldRule([.string], lengthMin: 1), "stars": FieldRule([.integer])],
        required: ["title"], allowsOtherFields: false)

    @Test func aRecordKeepsItsRules() {
        #expect(rules.accepts(["title": "a"]))
        #expect(rules.accepts(["title": "a", "stars": 3]))
        #expect(!rules.accepts(["stars": 3]), "the title is required")
        #expect(!rules.accepts(["title": ""]) && !rules.accepts(["title": "a", "stars": "x"]))
        #expect(!rules.accepts(["title": "a", "other": 1]))
        #expect(!rules.accepts(["title": "a", "stars": .null]), "null is a value here")
    }

    @Test func aRuleThatCameLaterLeavesStoredValues() {
        let known: [String: FieldValue] = ["title": "", "other": 1]
        #expect(rules.accepts(["title": "", "other": 1], over: known))
        #expect(rules.accepts(["title": "a", "other": 1], over: known))
        #expect(!rules.accepts(["title": "", "other": 2], over: known))
        #expect(rules.accepts(["stars": 1], over: ["stars": 2]), "it was missing before")
        #expect(!rules.accepts(["stars": 1], over: ["title": "a"]), "it must not be removed")
    }

    @Test func whereFieldsMergeNullRemovesThem() {
        var rules = rules
        rules.declaration.policy = .fieldMerge
        #expect(rules.accepts(["title": "a", "stars": .null]))
        #expect(!rules.accepts(["title": .null]))
        #expect(!rules.accepts(["title": "a", "other": .null]), "an unknown field stays unknown")
    }

    @Test func otherFieldsAreAllowedByDefault() {
        let open = CollectionRules(CollectionDeclaration("open", .fieldMerge))
        #expect(open.accepts(["a": 1, "b": "x"]) && open.accepts([:]))
        #expect(!open.accepts(["1a": 1]), "a name is a name everywhere")
    }

    @Test func aViolationNamesTheField() {
        #expect(rules.violation(of: ["title": "a"]) == nil)
        #expect(rules.violation(of: [:]) == "\"title\" is missing")
        #expect(
            rules.violation(of: ["title": "a", "stars": "x"])
                == "\"stars\" has a value that it may not have")
        #expect(
            rules.violation(of: ["title": "a", "other": 1])
                == "\"other\" is not one of its fields")
        let long = FieldValue.text(String(repeating: "x", count: Validity.textBytesMax + 1))
        #expect(rules.violation(of: ["title": long]) == "a name or value is out of range")
        #expect(rules.violation(of: ["other": 1, "title": "b"], over: ["other": 1]) == nil)
    }

    @Test func theBuiltInCollectionsTakeWhatAppsWrite() {
        #expect(
            CollectionRules.builtIn.map(\.declaration.name) == [
                "favourites", "reservations", "seenAnnouncements", "consents", "questionReports",
                "underway-differences", "learning", "learningExtra", "setAside", "memory",
            ])
        #expect(CollectionRules.favourites.accepts(["bank": "ca/az", "note": "again"]))
        #expect(!CollectionRules.favourites.accepts(["note": "again"]))
        let plan: [String: FieldValue] = [
            "exam": "ca/az", "date": "2026-05-01", "status": "booked",
        ]
        #expect(CollectionRules.reservations.accepts(plan))
        #expect(
            !CollectionRules.reservations.accepts(
                plan.merging(["status": "forgotten"]) { $1 }))
        #expect(CollectionRules.seenAnnouncements.accepts(["at": "2026-05-01T10:00:00Z"]))
        #expect(CollectionRules.reservations.declaration.policy.abilities.asksUser)
        #expect(CollectionRules.learning.accepts(["retention": .decimal(7), "newPerDay": 5]))
        #expect(!CollectionRules.learning.accepts(["newPerDay": "many"]))
        #expect(CollectionRules.learning.declaration.policy.abilities.mergesFields)
        #expect(CollectionRules.learningExtra.accepts(["day": 20_788, "new": 10, "after": 20]))
        #expect(!CollectionRules.learningExtra.accepts(["day": 20_788, "new": 10]))
    }
}
