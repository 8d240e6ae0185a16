/// The files that `underway init` writes.
enum StarterFolder {
    static let files: [(path: String, text: String)] = [
        (
            "underway.yaml",
            """
            # The settings of this content folder.
            name: My content
            # Where the release will be served; leave it out while you do not know.
            # contentBaseUrl: https://example.org/api/content/v2
            keepReleases: 5
            announcements:
              # Every announcement must have words in these languages.
              languages: [en]

            """
        ),
        (
            "languages/en/blueprint.yaml",
            """
            # A placement test. `underway check` knows every field; a misspelt one is an error.
            kind: placement
            id: en
            title: English placement test
            version: "1.0.0" # for people; devices compare checksums
            levels: { 1: A1, 2: A2, 3: B1, 4: B2, 5: C1 }
            scoring:
              cuts: # from how many points on a learner is at a level
                - { level: A1, from: 0 }
                - { level: A2, from: 2 }
            questions:
              - id: en-001 # never changes once it is published
                type: single-choice
                difficulty: 1
                stem: Which day comes after Monday?
                options: # ids are stable, so that shuffling cannot break the score
                  - { id: a, text: Tuesday }
                  - { id: b, text: Sunday }
                  - { id: c, text: Friday }
                correct: [0] # indices of the right options, from 0
                explanation: Monday is followed by Tuesday.
              - id: en-002
                type: multi-choice
                difficulty: 2
                stem: Select two months with 31 days.
                options:
                  - { id: a, text: January }
                  - { id: b, text: April }
                  - { id: c, text: March }
                correct: [0, 2]
              - id: en-003
                type: ordering
                difficulty: 2
                stem: Put these numbers in order, the smallest first.
                options:
                  - { id: a, text: twelve }
                  - { id: b, text: two }
                  - { id: c, text: twenty }
                correct: [1, 0, 2] # all options, in the right order

            """
        ),
        (
            "languages/en/localization.json",
            """
            {
              "start": "Start",
              "next": "Next"
            }

            """
        ),
        (
            "exams/int/sample/exam.yaml",
            """
            # An exam: exams/<region>/<exam>/. The questions are in the files beside this one.
            title: Sample exam
            version: "1.0.0"
            domains:
              - { id: basics, title: Basics, weight: 100 }
            scoring: { pass: 0.7 }

            """
        ),
        (
            "exams/int/sample/questions.yaml",
            """
            - id: sample-001
              type: code-snippet
              domain: basics # one of the domains of exam.yaml
              difficulty: 1
              stem: What does this print?
              code:
                language: swift
                text: |
                  print(1 + 2)
              options:
                - { id: a, text: "3" } # quotes: the text 3, not the number
                - { id: b, text: "12" }
              correct: [0]
            - id: sample-002
              type: numeric-entry
              domain: basics
              difficulty: 2
              stem: How fast does a stone fall that fell for one second?
              number: # or an exact value, a relativeTolerance, or from and to
                value: 9.81
                tolerance: 0.05
                unit: m/s # shown beside the field; a learner types the number

            """
        ),
    ]
}
