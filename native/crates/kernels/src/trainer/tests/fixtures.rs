//! The numbers of the authors' own code (`native/test/fixtures/hyset`), in f64.

use serde_json::Value;

use super::case::{ALL, best, lists, options};
use crate::hyperedge::Alignment;
use crate::trainer::{Interactions, Problem, SetLists, Trainer, Weights, learning_rate_factor};

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn loss_file() -> Value {
    read(include_str!("../../../../../test/fixtures/hyset/loss.json"))
}

fn schedule_file() -> Value {
    read(include_str!("../../../../../test/fixtures/hyset/schedule.json"))
}

/// All numbers in order.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(flat).collect(),
        Value::Object(values) => values.values().flat_map(flat).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

fn count(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn counts(value: &Value) -> impl Iterator<Item = u32> {
    value.as_array().unwrap().iter().map(|value| count(value) as u32)
}

fn close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (position, (found, expected)) in found.iter().zip(expected).enumerate() {
        let tolerance = 1e-9 * expected.abs().max(1e-3);
        assert!(
            (found - expected).abs() <= tolerance,
            "{what}[{position}]: {found} for {expected}"
        );
    }
}

struct Step {
    batch: Vec<u32>,
    queries: Vec<u32>,
    offsets: Vec<u32>,
    members: Vec<u32>,
}

impl Step {
    fn of(case: &Value, step: &Value) -> Self {
        let mut made = Self {
            batch: Vec::new(),
            queries: vec![0],
            offsets: vec![0],
            members: Vec::new(),
        };
        for item in step["items"].as_array().unwrap() {
            made.batch.push(count(item) as u32);
            for set in case["batch"][count(item)]["pool"].as_array().unwrap() {
                made.members.extend(counts(set));
                made.offsets.push(made.members.len() as u32);
            }
            made.queries.push(made.offsets.len() as u32 - 1);
        }
        made
    }

    fn sets(&self) -> SetLists<'_> {
        SetLists {
            queries: &self.queries,
            offsets: &self.offsets,
            members: &self.members,
        }
    }
}

fn trainer_of(case: &Value) -> Trainer<f64> {
    let items = case["batch"].as_array().unwrap();
    let gold: Vec<Vec<u32>> = items
        .iter()
        .map(|item| {
            let mut gold: Vec<u32> = counts(&item["pool"][0]).collect();
            gold.sort_unstable();
            gold
        })
        .collect();
    let mut made = options();
    made.max_size = 5;
    made.interactions = Interactions::BySize;
    made.sets.trained = ALL;
    made.sets.trained.offsets = false;
    made.sets.anchor = 0.0;
    made.sets.learning_rate = case["lr"].as_f64().unwrap();
    made.sets.interaction_rate = made.sets.learning_rate;
    made.candidates.alignment = Alignment::Softmax;
    made.candidates.summed = true;
    made.candidates.self_training = case["eta"].as_f64().unwrap();
    made.candidates.regularisation = case["lambda"].as_f64().unwrap();
    let problem = Problem {
        query_dimensions: count(&case["d_r"]),
        tool_dimensions: count(&case["d_z"]),
        anchors: flat(&case["params"]["Z"]),
        queries: items.iter().flat_map(|item| flat(&item["r"])).collect(),
        gold: lists(&gold),
        channels: Vec::new(),
        query_weights: Vec::new(),
        training: (0..items.len() as u32).collect(),
    };
    let weights = Weights {
        projection: flat(&case["params"]["P"]),
        embeddings: flat(&case["params"]["Z"]),
        interactions: flat(&case["params"]["M"]),
        offsets: vec![0.0; 5],
        features: Vec::new(),
    };
    let mut trainer = Trainer::new(problem, weights, made, 2, best()).unwrap();
    let rewards: Vec<f64> = items.iter().map(|item| item["rho"].as_f64().unwrap()).collect();
    trainer.set_rewards(&rewards).unwrap();
    trainer
}

#[test]
fn losses_gradients_and_steps_are_those_of_the_reference() {
    let file = loss_file();
    let mut steps = 0;
    for case in file["cases"].as_array().unwrap() {
        let mut trainer = trainer_of(case);
        let name = case["name"].as_str().unwrap();
        for (number, expected) in case["steps"].as_array().unwrap().iter().enumerate() {
            let what = format!("{name} {number}");
            let step = Step::of(case, expected);
            let mut scores = vec![0.0; step.offsets.len() - 1];
            trainer.set_scores(&step.batch, step.sets(), &mut scores).unwrap();
            close(&format!("{what} F"), &scores, &flat(&expected["F"]));
            let total = count(&case["total_steps"]);
            let warmup = case["warmup_ratio"].as_f64().unwrap();
            let factor = learning_rate_factor(number, total, warmup);
            close(
                &format!("{what} rate"),
                &[factor * case["lr"].as_f64().unwrap()],
                &flat(&expected["lr"]),
            );
            let done = trainer.set_step(&step.batch, step.sets(), factor).unwrap();
            close(
                &format!("{what} losses"),
                &[done.retrieval, done.self_training, done.regulariser, done.loss],
                &["L_ret", "L_self", "reg", "total"].map(|part| expected[part].as_f64().unwrap()),
            );
            assert_eq!(
                done.chosen,
                counts(&expected["selected"])
                    .map(|place| place as usize)
                    .collect::<Vec<_>>()
            );
            let gradients = &trainer.gradients;
            for (part, found) in [
                ("Z", &gradients.embeddings),
                ("P", &gradients.projection),
                ("M", &gradients.interactions),
            ] {
                close(
                    &format!("{what} gradient of {part}"),
                    found,
                    &flat(&expected["grad"][part]),
                );
            }
            let weights = trainer.weights();
            for (part, found) in [
                ("Z", &weights.embeddings),
                ("P", &weights.projection),
                ("M", &weights.interactions),
            ] {
                close(
                    &format!("{what} {part}"),
                    found,
                    &flat(&expected["after_projection"][part]),
                );
            }
            steps += 1;
        }
    }
    assert_eq!(steps, 12);
}

#[test]
fn the_learning_rate_is_that_of_the_reference() {
    for case in schedule_file()["cases"].as_array().unwrap() {
        let (steps, warmup) = (count(&case["total_steps"]), case["warmup_ratio"].as_f64().unwrap());
        let expected = flat(&case["scale"]);
        assert!(expected.len() > 1);
        for (step, &scale) in expected.iter().enumerate() {
            let factor = learning_rate_factor(step, steps, warmup);
            assert!(
                (factor - scale).abs() < 1e-15,
                "step {step} of {steps}: {factor} for {scale}"
            );
        }
    }
}
