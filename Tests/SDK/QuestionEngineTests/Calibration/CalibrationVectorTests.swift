import Foundation
import QuestionEngine
import Testing

/// The Law School Admission Test, section 6: 1,000 people, five questions.
@Suite struct CalibrationVectorTests {
    private let tolerances: VectorTree
    private let data: VectorTree
    private let matrix: ScoreMatrix

    init() throws {
        let file = try VectorTree.load("item_analysis.json")
        tolerances = file["tolerances"]
        data = file["datasets"]["LSAT6"]
        let patterns = file["patterns_item1_to_item5"].list.map { $0.text.map { $0 == "1" } }
        matrix = try ScoreMatrix(
            patterns: patterns, frequencies: data["frequencies"].list.map(\.integer))
    }

    @Test func classicalStatisticsAgree() throws {
        let expected = data["ctt"]
        let tolerance = tolerances["ctt_abs"].number
        let found = TestStatistics(matrix)
        #expect(found.personCount == expected["n"].integer)
        #expect(isNear(found.meanScore, expected["mean_total"].number, absolute: tolerance))
        let variance = expected["var_total_n1"].number
        #expect(isNear(found.scoreVariance, variance, absolute: tolerance))
        let deviation = expected["sd_total_n1"].number
        #expect(isNear(found.scoreVariance.squareRoot(), deviation, absolute: tolerance))
        #expect(found.scoreDistribution == expected["score_distribution"].list.map(\.integer))
        let pairs = [
            (found.facilities, "p_value"),
            (found.totalCorrelations, "point_biserial_uncorrected"),
            (found.restCorrelations, "point_biserial_corrected"),
            (found.alphaIfDeleted.compactMap(\.self), "alpha_if_deleted"),
        ]
        for (values, name) in pairs {
            #expect(areNear(values, expected[name].numbers, absolute: tolerance), "\(name)")
        }
        let alphaTolerance = tolerances["alpha_kr20_abs"].number
        for (value, name) in [
            (found.alpha, "alpha"), (found.alpha, "kr20"), (found.kr21, "kr21"),
            (found.standardErrorOfMeasurement, "sem"),
        ] {
            let value = try #require(value)
            #expect(isNear(value, expected[name].number, absolute: alphaTolerance), "\(name)")
        }
    }

    @Test(arguments: [
        (MarginalCalibration.Model.commonSlope, "mml_1pl_common_slope"),
        (.twoParameter, "mml_2pl"),
    ])
    func marginalLikelihoodAgrees(model: MarginalCalibration.Model, name: String) throws {
        let expected = data[name]
        let found = try MarginalCalibration(matrix, model: model)
        #expect(found.hasConverged)
        let loglik = tolerances["mml_loglik_abs"].number
        #expect(isNear(found.logLikelihood, expected["loglik"].number, absolute: loglik))
        let columns: [([Double], String, String)] = [
            (found.items.map(\.parameters.slope), "slope", "mml_slope_abs"),
            (found.items.map(\.intercept), "intercept", "mml_intercept_abs"),
            (found.items.map(\.parameters.difficulty), "difficulty", "mml_difficulty_abs"),
            (found.expectedFrequencies(of: matrix), "expected_freq", "expected_freq_abs"),
        ]
        for (values, column, tolerance) in columns {
            let tolerance = tolerances[tolerance].number
            #expect(areNear(values, expected[column].numbers, absolute: tolerance), "\(column)")
        }
        let ratio = expected["G2_saturated"].number
        #expect(isNear(found.likelihoodRatio(of: matrix), ratio, absolute: 2 * loglik))
    }

    @Test func standardErrorsAgree() throws {
        let tolerance = tolerances["se_rel"].number
        let two = try MarginalCalibration(matrix)
        let errors = two.items.map(\.slopeError) + two.items.map(\.interceptError)
        let expected = data["mml_2pl"]["se_raw_params"].numbers
        #expect(errors.count == expected.count)
        for (value, wanted) in zip(errors, expected) {
            #expect(isNear(value, wanted, relative: tolerance))
        }
        // The file's one-parameter model has the logarithm of the slope as its first parameter.
        let one = try MarginalCalibration(matrix, model: .commonSlope)
        let raw =
            [one.items[0].slopeError / one.items[0].parameters.slope]
            + one.items.map(\.interceptError)
        for (value, wanted) in zip(raw, data["mml_1pl_common_slope"]["se_raw_params"].numbers) {
            #expect(isNear(value, wanted, relative: tolerance))
        }
    }

    @Test(arguments: [
        (MarginalCalibration.Model.commonSlope, "mml_1pl_common_slope"),
        (.twoParameter, "mml_2pl"),
    ])
    func abilitiesAgree(model: MarginalCalibration.Model, name: String) throws {
        let expected = data[name]
        let items = try MarginalCalibration(matrix, model: model).items.map(\.parameters)
        let answers = matrix.patterns.map { pattern in
            zip(items, pattern).map { (item: $0, isRight: $1) }
        }
        let means = answers.map { AbilityEstimate.expectedAPosteriori($0) }
        let eap = tolerances["eap_abs"].number
        #expect(areNear(means.map(\.ability), expected["eap"].numbers, absolute: eap))
        #expect(areNear(means.map(\.standardError), expected["eap_sd"].numbers, absolute: eap))
        let modes = answers.map { AbilityEstimate.maximumAPosteriori($0).ability }
        let map = tolerances["map_abs"].number
        #expect(areNear(modes, expected["map"].numbers, absolute: map))
    }

    @Test func conditionalLikelihoodAgrees() throws {
        let expected = data["cml_rasch"]
        let tolerance = tolerances["cml_abs"].number
        let found = try RaschCalibration(matrix)
        let difficulties = expected["difficulty_sum_zero"].numbers
        #expect(areNear(found.difficulties, difficulties, absolute: tolerance))
        let loglik = expected["conditional_loglik"].number
        #expect(isNear(found.logLikelihood, loglik, absolute: tolerance))
        for (value, wanted) in zip(found.standardErrors, expected["se"].numbers) {
            #expect(isNear(value, wanted, relative: tolerances["se_rel"].number))
        }
        let byScore = expected["person_ml_by_raw_score"]
        #expect(found.abilityByScore.count == byScore.names.count)
        for (score, ability) in found.abilityByScore.enumerated() {
            #expect(isNear(ability, byScore["\(score)"].number, absolute: tolerance), "\(score)")
        }
    }

    @Test func publishedValuesAgree() throws {
        let tolerance = tolerances["vs_published_abs"].number
        let found = try MarginalCalibration(matrix)
        let slopes = found.items.map(\.parameters.slope)
        let difficulties = found.items.map(\.parameters.difficulty)
        let ltm = data["published"]["ltm_2pl"]
        #expect(areNear(slopes, ltm["a"].numbers, absolute: tolerance))
        #expect(areNear(difficulties, ltm["b"].numbers, absolute: tolerance))
        #expect(isNear(found.logLikelihood, ltm["loglik"].number, absolute: 0.002))
        let aic = 2 * 10 - 2 * found.logLikelihood
        #expect(isNear(aic, ltm["aic"].number, absolute: tolerance))
        let bic = 10 * log(1000) - 2 * found.logLikelihood
        #expect(isNear(bic, ltm["bic"].number, absolute: tolerance))
        let girth = data["girth_0.8.0"]
        #expect(areNear(slopes, girth["2pl_a"].numbers, absolute: tolerance))
        #expect(areNear(difficulties, girth["2pl_b"].numbers, absolute: tolerance))
        let one = try MarginalCalibration(matrix, model: .commonSlope)
        let slope = girth["1pl_a"].number
        #expect(isNear(one.items[0].parameters.slope, slope, absolute: tolerance))
        let rasch = data["published"]["mirt_rasch_a1"]
        let test = rasch["test_tolerance"].number
        #expect(areNear(one.items.map(\.intercept), rasch["intercept_d"].numbers, absolute: test))
        let variance = one.items[0].parameters.slope * one.items[0].parameters.slope
        #expect(isNear(variance, rasch["latent_variance"].number, absolute: test))
    }

    @Test func limitedInformationFitAgrees() throws {
        let expected = data["published"]["mirt_1pl_M2"]
        let one = try MarginalCalibration(matrix, model: .commonSlope)
        let fit = try #require(one.limitedInformationFit(of: matrix))
        #expect(fit.degreesOfFreedom == expected["df"].integer)
        let tolerance = tolerances["vs_published_abs"].number
        #expect(isNear(fit.statistic, expected["M2"].number, absolute: tolerance))
        #expect(fit.rootMeanSquareError(personCount: 1000) == 0)
        let two = try #require(MarginalCalibration(matrix).limitedInformationFit(of: matrix))
        #expect(two.degreesOfFreedom == 5 && two.statistic < fit.statistic)
    }

    @Test func publishedScoresAndFrequenciesAgree() throws {
        let tolerance = tolerances["vs_published_abs"].number
        let found = try MarginalCalibration(matrix)
        let ltm = data["published"]["ltm_2pl"]
        let frequencies = found.expectedFrequencies(of: matrix)
        for (index, pattern) in matrix.patterns.enumerated() {
            let name = String(pattern.map { $0 ? "1" : "0" })
            let expected = ltm["expected_freq"][name]
            if !expected.isNull {
                #expect(isNear(frequencies[index], expected.number, absolute: 0.05), "\(name)")
            }
            let mode = ltm["eb_mode_score"][name]
            if !mode.isNull {
                let answers = zip(found.items, pattern).map {
                    (item: $0.parameters, isRight: $1)
                }
                let ability = AbilityEstimate.maximumAPosteriori(answers).ability
                #expect(isNear(ability, mode.number, absolute: tolerance), "\(name)")
            }
        }
    }
}
