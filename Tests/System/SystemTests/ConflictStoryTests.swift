import Testing
import UserData

@Suite struct ConflictStoryTests {
    private let exam = RecordKey("exams", "swift")
    private let star = RecordKey("stars", "q1")
    private let profile = RecordKey("profile", "me")

    /// Both devices know a record.
    private func both(
        _ story: Story, _ key: RecordKey, _ values: [String: FieldValue]
    ) async throws {
        try await story.write("phone", key, .put(values))
        try await story.sync("phone", "tablet")
        #expect(try await story.shows("tablet", key) == values)
    }

    /// The phone says Tuesday and the tablet Friday, and both have synced.
    private func disagree(_ story: Story) async throws {
        try await both(story, exam, ["day": "monday"])
        try await story.write("phone", exam, .put(["day": "tuesday"]))
        try await story.write("tablet", exam, .put(["day": "friday"]))
        try await story.sync("phone", "tablet")
    }

    @Test(arguments: World.allCases) func editAgainstEditIsShownWithMineTheirsAndBase(world: World)
        async throws
    {
        try await withStory(world) { story in
            try await disagree(story)
            let conflict = try #require(try await story.conflict("tablet", exam))
            #expect(conflict.base?.values == ["day": "monday"])
            #expect(conflict.theirs.values == ["day": "tuesday"])
            #expect(conflict.mine.change == .put(["day": "friday"]))
            #expect(try await story.shows("tablet", exam) == ["day": "friday"])
            #expect(try await story.shows("phone", exam) == ["day": "tuesday"])
        }
    }

    @Test(arguments: World.allCases) func keepingMineReachesTheOtherDevice(world: World)
        async throws
    {
        try await withStory(world) { story in
            try await disagree(story)
            try await story.settle("tablet", exam, .keepMine)
            try await story.sync("tablet", "phone")
            #expect(try await story.shows("phone", exam) == ["day": "friday"])
            #expect(try await story.conflict("tablet", exam) == nil)
        }
    }

    @Test(arguments: World.allCases) func usingTheServersGivesUpMine(world: World) async throws {
        try await withStory(world) { story in
            try await disagree(story)
            try await story.settle("tablet", exam, .useServer)
            try await story.sync("tablet")
            #expect(try await story.shows("tablet", exam) == ["day": "tuesday"])
        }
    }

    @Test(arguments: World.allCases) func anEditAgainstADeleteIsAskedAbout(world: World)
        async throws
    {
        try await withStory(world) { story in
            try await both(story, exam, ["day": "monday"])
            try await story.write("phone", exam, .delete)
            try await story.write("tablet", exam, .put(["day": "friday"]))
            try await story.sync("phone", "tablet")
            let conflict = try #require(try await story.conflict("tablet", exam))
            #expect(conflict.theirs.isDeleted)
            #expect(try await story.shows("tablet", exam) == ["day": "friday"])
            try await story.settle("tablet", exam, .keepMine)
            try await story.sync("tablet", "phone")
            #expect(try await story.shows("phone", exam) == ["day": "friday"])
        }
    }

    @Test(arguments: World.allCases) func aDeleteAgainstAnEditIsAskedAbout(world: World)
        async throws
    {
        try await withStory(world) { story in
            try await both(story, exam, ["day": "monday"])
            try await story.write("phone", exam, .put(["day": "friday"]))
            try await story.write("tablet", exam, .delete)
            try await story.sync("phone", "tablet")
            let conflict = try #require(try await story.conflict("tablet", exam))
            #expect(conflict.mine.change == .delete)
            try await story.settle("tablet", exam, .useServer)
            #expect(try await story.shows("tablet", exam) == ["day": "friday"])
        }
    }

    @Test(arguments: World.allCases) func twoOfTheSameNameAreAskedAbout(world: World) async throws {
        try await withStory(world) { story in
            try await story.write("phone", exam, .put(["day": "monday"]))
            try await story.write("tablet", exam, .put(["day": "friday"]))
            try await story.sync("phone", "tablet")
            let conflict = try #require(try await story.conflict("tablet", exam))
            #expect(conflict.base == nil && conflict.theirs.values == ["day": "monday"])
        }
    }

    @Test(arguments: World.allCases) func theSameChangeOnBothIsNoConflict(world: World) async throws
    {
        try await withStory(world) { story in
            try await both(story, exam, ["day": "monday"])
            try await story.write("phone", exam, .put(["day": "friday"]))
            try await story.write("tablet", exam, .put(["day": "friday"]))
            try await story.sync("phone", "tablet")
            #expect(try await story.conflict("tablet", exam) == nil)
            #expect(try await story.shows("tablet", exam) == ["day": "friday"])
        }
    }

    @Test(arguments: World.allCases) func writingOnInAConflictStaysOneConflict(world: World)
        async throws
    {
        try await withStory(world) { story in
            try await disagree(story)
            try await story.write("tablet", exam, .put(["day": "sunday"]))
            try await story.sync("tablet")
            let conflict = try #require(try await story.conflict("tablet", exam))
            #expect(conflict.mine.change == .put(["day": "sunday"]))
            try await story.sync("phone")
            #expect(try await story.shows("phone", exam) == ["day": "tuesday"])
        }
    }

    @Test(arguments: World.allCases) func settlingOnBothDevicesGivesOneResult(world: World)
        async throws
    {
        try await withStory(world) { story in
            try await disagree(story)
            try await story.settle("tablet", exam, .edit(["day": "sunday"]))
            try await story.write("phone", exam, .put(["day": "saturday"]))
            try await story.sync("phone", "tablet")
            // The phone moved on meanwhile: that is another conflict, not a silent win.
            #expect(try await story.conflict("tablet", exam)?.theirs.values == ["day": "saturday"])
            try await story.settle("tablet", exam, .keepMine)
            try await story.sync("tablet", "phone")
            let shown = try await story.shows("tablet", exam)
            #expect(try await story.shows("phone", exam) == shown)
            #expect(try await story.shows("phone", exam) == ["day": "sunday"])
        }
    }

    @Test(arguments: World.allCases) func aMonthOfflineLosesNothing(world: World) async throws {
        try await withStory(world) { story in
            try await both(story, star, ["on": true])
            for day in 0..<30 {
                try await story.write(
                    "tablet", RecordKey("notes", "t\(day)"), .put(["right": true]))
                try await story.write(
                    "phone", RecordKey("notes", "p\(day)"), .put(["right": false]))
                try await story.write(
                    "tablet", RecordKey("points", "all"), .count(field: "n", by: 2))
                try await story.write(
                    "phone", RecordKey("points", "all"), .count(field: "n", by: 1))
                try await story.sync("phone")
                await story.days(1)
            }
            try await story.sync("tablet", "phone")
            for device in ["phone", "tablet"] {
                #expect(try await story.shows(device, RecordKey("points", "all")) == ["n": 90])
                for day in 0..<30 {
                    #expect(try await story.shows(device, RecordKey("notes", "t\(day)")) != nil)
                    #expect(try await story.shows(device, RecordKey("notes", "p\(day)")) != nil)
                }
            }
        }
    }

    @Test(arguments: World.allCases) func aClockThreeDaysAheadWinsTiesButHidesNothing(world: World)
        async throws
    {
        try await withStory(world) { story in
            try await both(story, star, ["on": true])
            await story.setSkew("tablet", 3 * 86_400_000)
            try await story.write("tablet", star, .put(["on": false]))
            try await story.write("phone", star, .put(["on": true, "note": "mine"]))
            try await story.sync("tablet", "phone")
            #expect(try await story.shows("phone", star) == ["on": false])
            // Who has seen it writes over it, whatever the clocks say.
            try await story.write("phone", star, .put(["on": true]))
            try await story.sync("phone", "tablet")
            #expect(try await story.shows("tablet", star) == ["on": true])
        }
    }

    @Test(arguments: World.allCases) func twoFieldsOfAProfileMeet(world: World) async throws {
        try await withStory(world) { story in
            try await both(story, profile, ["name": "Ada", "city": "London"])
            try await story.write("phone", profile, .put(["name": "Ada L.", "city": "London"]))
            try await story.write("tablet", profile, .put(["name": "Ada", "city": "Paris"]))
            try await story.sync("phone", "tablet", "phone")
            for device in ["phone", "tablet"] {
                #expect(
                    try await story.shows(device, profile) == ["name": "Ada L.", "city": "Paris"])
            }
        }
    }

    @Test(arguments: World.allCases) func whatTheServerRefusesIsSetAsideNotDropped(world: World)
        async throws
    {
        try await withStory(world) { story in
            let answer = RecordKey("notes", "a1")
            try await story.write("phone", answer, .put(["right": true]))
            try await story.sync("phone")
            try await story.write("tablet", answer, .put(["right": false]))
            try await story.sync("tablet")
            #expect(try await story.rejected("tablet").map(\.refusal) == [.immutable])
            #expect(
                try await story.rejected("tablet").first?.operation.change == .put(["right": false])
            )
            // It is shown until the user gives it up.
            #expect(try await story.shows("tablet", answer) == ["right": false])
            try await story.dismissRefused("tablet")
            #expect(try await story.shows("tablet", answer) == ["right": true])
        }
    }

    @Test(arguments: World.allCases)
    func whoSleptLongerThanDeletedRecordsAreRememberedLosesNoChange(world: World) async throws {
        try await withStory(world) { story in
            let other = RecordKey("exams", "english")
            try await both(story, exam, ["day": "monday"])
            try await both(story, other, ["day": "monday"])
            try await both(story, star, ["on": true])
            try await story.write("phone", exam, .delete)
            try await story.write("phone", star, .delete)
            try await story.sync("phone")
            // The tablet sleeps on, with one change to what was deleted and one to what was not.
            try await story.write("tablet", exam, .put(["day": "friday"]))
            try await story.write("tablet", other, .put(["day": "sunday"]))
            await story.days(200)
            #expect(try await story.purge() == 2)
            // Its tokens have run out, too.
            #expect(await !story.tryToSync("tablet"))
            try await story.signIn("tablet")
            try await story.sync("tablet")
            #expect(try await story.shows("tablet", star) == nil)
            #expect(try await story.remembered("tablet") == 2)
            #expect(try await story.shows("tablet", other) == ["day": "sunday"])
            let conflict = try #require(try await story.conflict("tablet", exam))
            #expect(conflict.theirs.isDeleted)
            try await story.settle("tablet", exam, .keepMine)
            try await story.signIn("phone")
            try await story.sync("tablet", "phone")
            #expect(try await story.shows("phone", exam) == ["day": "friday"])
            #expect(try await story.shows("phone", star) == nil)
        }
    }
}
